// Times stand in the page in UTC; here they are told in the reader's own zone, and in the page's language.

const how = new Intl.DateTimeFormat(document.documentElement.lang, { dateStyle: "medium", timeStyle: "short" });

for (const time of document.querySelectorAll("time")) {
  time.title = time.textContent ?? "";
  time.textContent = how.format(new Date(time.dateTime));
}
