import { useEffect, useState } from "preact/hooks";

/** The time, which goes on only while something runs. */
export function useNow(isRunning: boolean): number {
  const [now, setNow] = useState(Date.now());
  useEffect(() => {
    if (!isRunning) return undefined;
    const timer = window.setInterval(() => setNow(Date.now()), 250);
    return () => window.clearInterval(timer);
  }, [isRunning]);
  return isRunning ? Math.max(now, Date.now() - 250) : now;
}
