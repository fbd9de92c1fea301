// What a page does.
import { answerForms, answerKeys, answerPull } from "./actions.js";
import { arrange } from "./arrange.js";
import { connect } from "./connection.js";
import { openDetail } from "./detail.js";
import { openList } from "./list.js";
import { showStatus } from "./status.js";
import { followReader } from "./viewport.js";

const list = document.getElementById("list");
const detail = document.getElementById("detail");

if (list) {
  const view = openList(list), status = showStatus();
  const describe = () => {
    const { first, last, row } = view.view();
    return { screen: list.dataset.screen, first, last, row, ...order.described() };
  };
  const { post, start } = connect(list.dataset.window, status, describe, {
    list(news) { view.become(news); status.list(news); },
    opened() { reader.again(); order.tell(); },
    rows: view.take,
    renewed: view.renew,
  });
  const order = arrange(post), reader = followReader(view, post);
  answerForms(post);
  answerKeys(view);
  answerPull();
  start();
} else if (detail) {
  const view = openDetail(detail), status = showStatus(), { screen, id: row, window } = detail.dataset;
  const { post, start } = connect(window, status, () => ({ screen, row }), { detail: view.take, renewed: view.renew });
  answerForms(post);
  start();
}
