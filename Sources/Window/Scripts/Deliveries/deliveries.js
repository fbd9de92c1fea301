// What the pages of deliveries do beside what all pages do.
import { handlers, status } from "./app.js";
import { ageOf } from "./age.js";
import { tellNotice } from "./favourite.js";
import { showFoot } from "./foot.js";

const { list, detail } = handlers;
let last;

const withAge = (news) => ({ ...news, note: news.note?.replace("{age}", () => ageOf(news.at)) });

handlers.list = (news) => {
  last = news;
  list(withAge(news));
  showFoot(news.foot);
  tellNotice(news.notice);
};

handlers.detail = (news) => {
  detail(news);
  tellNotice(news.notice);
};

// What is old grows older while nothing happens.
setInterval(() => last?.note?.includes("{age}") && status.list(withAge(last)), 30_000);
