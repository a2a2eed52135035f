// The line to the table (socket.js), with a socket and a clock that the test holds in its hands.

import assert from "node:assert/strict";
import test, { mock } from "node:test";

import { Line, answersUnnamed, final, longer } from "../../src/kartoteka/server/html/static/socket.js";

class Socket {
  static OPEN = 1;
  /** All sockets of a test, the newest last. */
  static all = [];
  readyState = 0;
  sent = [];

  constructor(url) {
    this.url = String(url);
    Socket.all.push(this);
  }

  send(text) {
    this.sent.push(JSON.parse(text));
  }

  open() {
    this.readyState = Socket.OPEN;
    this.onopen();
  }

  hear(message) {
    this.onmessage({ data: JSON.stringify(message) });
  }

  close(code = 1006) {
    this.readyState = 3;
    this.onclose({ code });
  }
}

/** A page around a line, with what it heard and how its line was. */
function page(t, kept = new Map()) {
  const world = new EventTarget();
  const document = new EventTarget();
  Socket.all = [];
  const fakes = {
    WebSocket: Socket,
    document,
    location: { href: "https://cards.example/t/ABCD" },
    addEventListener: world.addEventListener.bind(world),
    sessionStorage: {
      getItem: (name) => kept.get(name) ?? null,
      setItem: (name, value) => kept.set(name, value),
      removeItem: (name) => kept.delete(name),
    },
  };
  const before = Object.keys(fakes).map((name) => [name, Object.getOwnPropertyDescriptor(globalThis, name)]);
  for (const [name, value] of Object.entries(fakes))
    Object.defineProperty(globalThis, name, { value, configurable: true, writable: true });
  mock.timers.reset();
  mock.timers.enable({ apis: ["setTimeout"] });
  t.after(() => {
    mock.timers.reset();
    for (const [name, was] of before)
      if (was) Object.defineProperty(globalThis, name, was);
      else delete globalThis[name];
  });
  const heard = [];
  const states = [];
  const line = new Line("/t/ABCD/socket", {
    heard: (message, to) => heard.push([message.type, to]),
    state: (how) => states.push(how),
  });
  return { line, heard, states, world, kept, socket: () => Socket.all.at(-1) };
}

test("a line goes to the page's own server, as safe as the page", (t) => {
  assert.equal(page(t).socket().url, "wss://cards.example/t/ABCD/socket");
});

test("an open line says the last number that the page has", (t) => {
  const { line, socket } = page(t);
  line.number = 7;
  socket().open();
  assert.deepEqual(socket().sent, [{ type: "hello", number: 7 }]);
});

test("what was asked is said again after a break, until it is answered", (t) => {
  const { line, socket } = page(t);
  socket().open();
  line.ask({ type: "move", id: "a", number: 1, move: "p" });
  socket().close();
  mock.timers.tick(500);
  socket().open();
  assert.deepEqual(
    socket().sent.map(({ type }) => type),
    ["hello", "move"],
  );
  assert.equal(line.answered("a").move, "p");
  assert.equal(line.answered("a"), undefined);
  socket().close();
  mock.timers.tick(1000);
  socket().open();
  assert.deepEqual(
    socket().sent.map(({ type }) => type),
    ["hello"],
  );
});

test("what was asked and not answered is said again by the page that is loaded next", (t) => {
  const first = page(t);
  first.line.ask({ type: "move", id: "a", number: 1, move: "p" }); // the line was not even open
  const second = page(t, first.kept);
  second.socket().open();
  assert.deepEqual(second.socket().sent.at(-1), { type: "move", id: "a", number: 1, move: "p" });
});

test("what needs no answer is said once, and only on an open line", (t) => {
  const { line, socket } = page(t);
  assert.equal(line.say({ type: "deal" }), false);
  socket().open();
  assert.equal(line.say({ type: "deal" }), true);
  socket().close();
  mock.timers.tick(500);
  socket().open();
  assert.deepEqual(socket().sent, [{ type: "hello", number: 0 }]);
});

test("a line that breaks comes back, each time later, until the server says something", (t) => {
  const { states, socket } = page(t);
  const attempts = [];
  for (const wait of [500, 1000, 2000, 4000, 8000, 8000]) {
    socket().close();
    const before = Socket.all.length;
    mock.timers.tick(wait - 1);
    attempts.push(Socket.all.length - before);
    mock.timers.tick(1);
    attempts.push(Socket.all.length - before);
  }
  assert.deepEqual(attempts, [0, 1, 0, 1, 0, 1, 0, 1, 0, 1, 0, 1]);
  socket().open(); // that it opens is not enough
  socket().close();
  mock.timers.tick(7999);
  const before = Socket.all.length;
  mock.timers.tick(1);
  assert.equal(Socket.all.length, before + 1);
  socket().open();
  socket().hear({ type: "current", number: 1 });
  socket().close();
  mock.timers.tick(500);
  assert.equal(Socket.all.length, before + 2);
  assert.ok(states.includes("lost"));
});

test("a line to a table that is gone does not come back, one that was too busy does", (t) => {
  assert.deepEqual([1000, 1006, 4404, 4403, 4429, 4500].map(final), [false, false, true, true, false, false]);
  const { states, socket } = page(t);
  socket().close(4404);
  mock.timers.tick(100_000);
  assert.equal(Socket.all.length, 1);
  assert.deepEqual(states, ["gone"]);
});

test("the wait doubles up to eight seconds", () => {
  assert.deepEqual([500, 4000, 6000, 8000].map(longer), [1000, 8000, 8000, 8000]);
});

test("an answer without an id belongs to the oldest thing that was said without one", (t) => {
  const { line, heard, socket } = page(t);
  socket().open();
  line.say({ type: "nonce", commitment: "c", nonce: "n" });
  line.say({ type: "look", ply: 3 });
  socket().hear({ type: "page", number: 1 });
  socket().hear({ type: "refused", reason: "late" });
  socket().hear({ type: "done", id: "a", number: 2 });
  socket().hear({ type: "past", ply: 3 });
  assert.deepEqual(heard, [
    ["page", undefined],
    ["refused", "nonce"],
    ["done", undefined],
    ["past", "look"],
  ]);
  assert.ok(!answersUnnamed({ type: "refused", id: "a", reason: "no" }));
});

test("what was said without an id on a line that broke is not waited for on the next one", (t) => {
  const { line, heard, socket } = page(t);
  socket().open();
  line.say({ type: "nonce", commitment: "c", nonce: "n" });
  socket().close();
  mock.timers.tick(500);
  socket().open();
  line.say({ type: "look", ply: 3 });
  socket().hear({ type: "past", ply: 3 });
  assert.deepEqual(heard, [["past", "look"]]);
});

test("when the net may be back, a line that does not answer in five seconds is given up", (t) => {
  const { states, world, socket } = page(t);
  socket().open();
  const first = socket();
  first.close = () => {}; // a dead line may take minutes to close
  world.dispatchEvent(new Event("online"));
  assert.equal(first.sent.at(-1).type, "hello");
  mock.timers.tick(4999);
  assert.deepEqual(states, ["open"]);
  mock.timers.tick(1);
  assert.deepEqual(states, ["open", "lost"]);
  mock.timers.tick(500);
  assert.notEqual(socket(), first);
});

test("when the net may be back, a line that answers stays", (t) => {
  const { states, world, socket } = page(t);
  socket().open();
  world.dispatchEvent(new Event("online"));
  socket().hear({ type: "current", number: 0 });
  mock.timers.tick(10_000);
  assert.deepEqual(states, ["open"]);
  assert.equal(Socket.all.length, 1);
});

test("when the net may be back, a broken line does not wait for its time", (t) => {
  const { world, socket } = page(t);
  socket().open();
  socket().close();
  world.dispatchEvent(new Event("online"));
  assert.equal(Socket.all.length, 2);
  mock.timers.tick(500);
  assert.equal(Socket.all.length, 2);
});

test("what an old socket still says is not heard", (t) => {
  const { heard, world, socket } = page(t);
  socket().open();
  const old = socket();
  old.close();
  world.dispatchEvent(new Event("online"));
  old.hear({ type: "current", number: 1 });
  assert.deepEqual(heard, []);
});
