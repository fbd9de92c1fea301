// The scripts of delivery pages in addition to those of all pages.
import { handlers, status } from "./app.js";
import { ageOf } from "./age.js";
import { showNotices } from "./favourite.js";
import { showFooter } from "./list-footer.js";

const { list, detail } = handlers;
let lastUpdate;

const withAge = (update) => ({ ...update, note: update.note?.replace("{age}", () => ageOf(update.at)) });

handlers.list = (update) => {
  lastUpdate = update;
  list(withAge(update));
  showFooter(update.foot);
  showNotices(update.notices);
};

handlers.detail = (update) => {
  detail(update);
  showNotices(update.notices);
};

// The age of stored rows changes without events.
setInterval(() => lastUpdate?.note?.includes("{age}") && status.applyList(withAge(lastUpdate)), 30_000);
