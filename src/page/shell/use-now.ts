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

/** The longest that a timer waits. */
const longestMs = 2_147_483_647;

/** Whether a time, in milliseconds since the epoch, is over; it is told when it is. */
export function useIsPast(time: number): boolean {
  const [isPast, setPast] = useState(time <= Date.now());
  useEffect(() => {
    const wait = Math.min(Math.max(0, time - Date.now()), longestMs);
    const timer = setTimeout(() => setPast(time <= Date.now()), wait);
    return () => clearTimeout(timer);
  }, [time]);
  return isPast;
}
