/** npm hands a signal to its shell, which dies of it and tells nobody: notice that it is gone, and end, too. */
export function endWithParent() {
  if (process.env.npm_lifecycle_event === undefined) return;
  const parent = process.ppid;
  const look = () => {
    if (process.ppid !== parent) process.kill(process.pid, "SIGTERM");
  };
  setInterval(look, 500).unref();
}
