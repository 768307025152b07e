/** What the page needs soon, and not at once: one piece of the script. */
export { Threads } from "../shell/threads.js";
export { readFiles } from "./attachments.js";
export { Pane } from "./pane.js";
export { Requests } from "./requests.js";
export { TurnView } from "./turn.js";
