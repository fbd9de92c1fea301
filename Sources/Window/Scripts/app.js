// What a page does once its script runs.
import { answerForms } from "./actions.js";
import { arrange } from "./arrange.js";
import { connect } from "./connection.js";
import { openDetail } from "./detail.js";
import { answerKeys } from "./keyboard.js";
import { openList } from "./list.js";
import { answerPull } from "./pull.js";
import { showStatus } from "./status.js";
import { followReader } from "./viewport.js";

const list = document.getElementById("list");
const detail = document.getElementById("detail");
const status = showStatus();

if (list) {
  const view = openList(list);
  const { post, start } = connect(list.dataset.window, status, () => ({ screen: "orders", ...view.described(), ...order.described() }), {
    list(news) { view.become(news); status.list(news); },
    opened() { reader.again(); order.tell(); },
    rows: view.take,
    renewed: view.renew,
  });
  const order = arrange(post), reader = followReader(view, post);
  answerKeys(view);
  answerForms(post);
  answerPull();
  start();
} else if (detail) {
  const view = openDetail(detail), { order, window } = detail.dataset;
  const { post, start } = connect(window, status, () => ({ screen: "order", order }), { detail: view.take, renewed: view.renew });
  answerForms(post);
  start();
}
