// What the pages of deliveries do beside what all pages do.
import { handlers, status } from "./app.js";
import { ageOf } from "./age.js";
import { tellNotices } from "./favourite.js";
import { showFoot } from "./foot.js";

const { list, detail } = handlers;
let last;

const withAge = (news) => ({ ...news, note: news.note?.replace("{age}", () => ageOf(news.at)) });

handlers.list = (news) => {
  last = news;
  list(withAge(news));
  showFoot(news.foot);
  tellNotices(news.notices);
};

handlers.detail = (news) => {
  detail(news);
  tellNotices(news.notices);
};

// What is old grows older while nothing happens.
setInterval(() => last?.note?.includes("{age}") && status.list(withAge(last)), 30_000);
