// The script of pages with a list or one row; scripts of single pages add to `handlers`.
import { handleForms, handleKeys, handlePullToRefresh } from "./actions.js";
import { connect } from "./connection.js";
import { createDetailController } from "./detail.js";
import { trackDistances } from "./distances.js";
import { createListController } from "./list.js";
import { createQueryForm, reportViewport } from "./reporting.js";
import { createStatusLine } from "./status.js";
import { updateTimes } from "./times.js";

const list = document.getElementById("list"), main = list ?? document.getElementById("detail");
const { window: sessionID, screen, id: row } = main.dataset;
const distances = list && trackDistances(list), view = list ? createListController(list, prepareRow) : createDetailController(main);
export const status = createStatusLine();
export const handlers = {
  list(update) {
    list.dataset.sort = queryForm.currentQuery().sort ?? "";
    view.applyList(update);
    status.applyList(update);
    queryForm.showProgress(update.reading);
  },
  onConnect() { viewportReporter?.resend(); queryForm?.postQuery(); },
  rows: view.applyRows,
  detail(update) { view.applyDetail(update); updateTimes(main); },
  onSessionReplaced: view.resetVersions,
  signedOut() { location.reload(); },
};
const sessionRequest = () => ({ screen, row, ...view.viewport?.(), ...queryForm?.currentQuery() });
const { post, start } = connect(sessionID, status, sessionRequest, handlers);
const queryForm = list && createQueryForm(post, distances.measureFrom), viewportReporter = list && reportViewport(view, post);
handleForms(post);
if (list) {
  handleKeys(view);
  handlePullToRefresh();
}
updateTimes(main);
start();

/// Updates the times and the distance of a row, which depend on the reader.
function prepareRow(row) {
  updateTimes(row);
  distances.update(row);
}
