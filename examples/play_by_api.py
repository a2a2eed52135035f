"""Open a table, wait for a person to sit down, and play: python examples/play_by_api.py [SITE] [GAME]."""

import json
import secrets
import sys
import urllib.request

site = sys.argv[1] if len(sys.argv) > 1 else "http://127.0.0.1:8000"
game = sys.argv[2] if len(sys.argv) > 2 else "parkett"
token = secrets.token_hex(16)  # 128 random bits of our own: whoever has them plays our seat


def call(path, body=None):
    data = None if body is None else json.dumps(body).encode()
    headers = {"Authorization": f"Bearer {token}", "Content-Type": "application/json"}
    return urllib.request.urlopen(urllib.request.Request(site + path, data, headers))


table = json.load(call("/api/tables", {"game": game, "players": 2, "name": "Forty lines"}))
print(f"Sit down at {table['link']}", flush=True)
path = f"/api/tables/{table['code']}"
sealed, answered = "", -1
for line in call(path + "/events"):  # the table as our seat sees it, again whenever it changes
    if not line.strip():
        continue
    sheet = json.loads(line)["sheet"]
    seal = sheet.get("seal", {})
    if sheet["phase"] == "sealing" and seal["commitment"] != sealed:  # add our part to the shuffle
        sealed = seal["commitment"]
        call(path + "/messages", {"type": "nonce", "commitment": sealed, "nonce": secrets.token_hex(16)})
    elif sheet["phase"] == "between":  # another deal of the match
        call(path + "/messages", {"type": "deal"})
    elif sheet["phase"] == "over":
        print(sheet["result"])
        break
    elif sheet.get("choices") and sheet["view"]["ply"] != answered:  # a table changes for other reasons too
        answered = sheet["view"]["ply"]
        move = {"number": sheet["number"], "move": secrets.choice(sheet["choices"])["move"]}  # or think here
        call(path + "/messages", {"type": "move", "id": secrets.token_hex(8)} | move)
