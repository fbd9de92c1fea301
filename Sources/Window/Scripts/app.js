// What a page does; the scripts of single pages add to `handlers`.
import { answerForms, answerKeys, answerPull } from "./actions.js";
import { connect } from "./connection.js";
import { openDetail } from "./detail.js";
import { openList } from "./list.js";
import { openPlaces } from "./places.js";
import { arrange, followReader } from "./reader.js";
import { showStatus } from "./status.js";
import { updateTimes } from "./times.js";

const list = document.getElementById("list"), main = list ?? document.getElementById("detail");
const { window, screen, id: row } = main.dataset;
const places = list && openPlaces(list), view = list ? openList(list, prepare) : openDetail(main);
export const status = showStatus();
export const handlers = {
  list(news) {
    list.dataset.sort = order.described().sort ?? "";
    view.become(news);
    status.list(news);
    order.showReading(news.reading);
  },
  opened() { reader?.again(); order?.tell(); },
  rows: view.take,
  detail(news) { view.take(news); updateTimes(main); },
  renewed: view.renew,
};
const describe = () => ({ screen, row, ...view.view?.(), ...order?.described() });
const { post, start } = connect(window, status, describe, handlers);
const order = list && arrange(post, places.from), reader = list && followReader(view, post);
answerForms(post);
if (list) {
  answerKeys(view);
  answerPull();
}
updateTimes(main);
start();

/// The times and the distance of a row depend on the reader.
function prepare(row) {
  updateTimes(row);
  places.update(row);
}
