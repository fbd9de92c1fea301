// What a page does once its script runs.
import { answerForms, leadBack } from "./actions.js";
import { connect } from "./connection.js";
import { openDetail } from "./detail.js";
import { answerKeys } from "./keyboard.js";
import { openList } from "./list.js";
import { rememberPlace } from "./place.js";
import { showStatus } from "./status.js";
import { reportViewport } from "./viewport.js";

const list = document.getElementById("list");
const detail = document.getElementById("detail");

if (list) {
  const status = showStatus();
  const view = openList(list);
  const save = rememberPlace(view);
  const { post, start } = connect(list.dataset.window, status, () => ({ screen: "orders", ...view.described() }), {
    // A window that has never seen the list knows nothing better than what is shown.
    list: (news) => { if (news.count !== undefined) view.become(news); status.list(news); report.moved(); },
    opened: () => report.again(),
    rows: view.take,
    renewed: view.renew,
  });
  const report = reportViewport(view, post);
  view.whenMoved = report.moved;
  view.whenResting = () => { report.rested(); save(); };
  answerKeys(view);
  answerForms(post, status);
  start();
  report.rested();
} else if (detail) {
  const status = showStatus();
  const view = openDetail(detail);
  const { order, window } = detail.dataset;
  const { post, start } = connect(window, status, () => ({ screen: "order", order }), { detail: view.take, renewed: view.renew });
  answerForms(post, status);
  start();
}
leadBack();
