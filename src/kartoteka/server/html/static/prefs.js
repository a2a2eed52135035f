// How the page looks and sounds, kept in this browser. A classic script in the head, so that it runs before the
// first paint. The keys: theme (light, dark), pack (2, 4), sound (on, off; the table's script asks for it).
(() => {
  const root = document.documentElement;
  root.classList.add("script");
  const dark = matchMedia("(prefers-color-scheme: dark)");
  /** @type {Record<string, () => string>} */
  const now = {
    theme: () => root.dataset.theme || (dark.matches ? "dark" : "light"),
    pack: () => root.dataset.pack || "2",
    sound: () => root.dataset.sound || "on",
  };
  /** @type {Record<string, string>} */
  const other = { light: "dark", dark: "light", 2: "4", 4: "2", on: "off", off: "on" };
  /** @type {Record<string, string>} */
  const pressed = { theme: "dark", pack: "4", sound: "on" };

  const show = () => {
    for (const button of document.querySelectorAll("[data-pref]")) {
      const name = button.getAttribute("data-pref") ?? "";
      button.setAttribute("aria-pressed", String(now[name]() === pressed[name]));
    }
  };
  const read = () => {
    for (const name in now) {
      let value = null;
      try {
        value = localStorage.getItem(name);
      } catch {
        /* storage may be forbidden: the defaults hold */
      }
      if (value && value in other && value !== now[name]()) root.dataset[name] = value;
    }
  };
  const turn = (/** @type {string} */ name) => {
    const value = other[now[name]()];
    root.dataset[name] = value;
    // Back at what the system asks for, follow the system again.
    const own = name !== "theme" || value !== (dark.matches ? "dark" : "light");
    if (!own) delete root.dataset.theme;
    try {
      if (own) localStorage.setItem(name, value);
      else localStorage.removeItem(name);
    } catch {
      /* then it lasts as long as the page */
    }
    show();
  };

  read();
  addEventListener("storage", () => {
    read();
    show();
  });
  dark.addEventListener("change", show);
  document.addEventListener("DOMContentLoaded", show);
  document.addEventListener("click", (event) => {
    const name = event.target instanceof Element && event.target.closest("[data-pref]")?.getAttribute("data-pref");
    if (name) turn(name);
  });
})();

// A number that is typed chooses the radio button it belongs to.
document.addEventListener("input", (event) => {
  const name = event.target instanceof HTMLElement && event.target.dataset.picks;
  const radio = name && document.getElementById(name);
  if (radio instanceof HTMLInputElement) radio.checked = true;
});
