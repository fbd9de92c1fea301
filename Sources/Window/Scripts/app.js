// What a page does; the scripts of single pages add to `handlers`.
import { answerForms, answerKeys, answerPull } from "./actions.js";
import { connect } from "./connection.js";
import { openDetail } from "./detail.js";
import { openList } from "./list.js";
import { arrange, followReader } from "./reader.js";
import { showStatus } from "./status.js";

const list = document.getElementById("list"), main = list ?? document.getElementById("detail");
const { window, screen, id: row } = main.dataset;
const view = list ? openList(list) : openDetail(main);
export const status = showStatus();
export const handlers = {
  list(news) { view.become(news); status.list(news); order.showReading(news.reading); },
  opened() { reader?.again(); order?.tell(); },
  rows: view.take,
  detail: view.take,
  renewed: view.renew,
};
const describe = () => ({ screen, row, ...view.view?.(), ...order?.described() });
const { post, start } = connect(window, status, describe, handlers);
const order = list && arrange(post), reader = list && followReader(view, post);
answerForms(post);
if (list) {
  answerKeys(view);
  answerPull();
}
start();
