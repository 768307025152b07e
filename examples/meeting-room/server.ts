// A small service of meeting rooms, as a platform team may have one: rooms by building, and bookings in memory.
// Run it: npx tsx examples/meeting-room/server.ts [port]
import { createServer, type IncomingMessage } from "node:http";
import { text } from "node:stream/consumers";
import { fileURLToPath } from "node:url";

type Booking = { room: string; date: string; start: string; end: string; title: string };

const rooms = [
  { room: "N1", building: "North", seats: 4 },
  { room: "N2", building: "North", seats: 8 },
  { room: "S1", building: "South", seats: 6 },
];

/** Starts the service on 127.0.0.1; port 0 takes a free one. */
export async function startMeetingRooms(port = 0) {
  const bookings: Booking[] = [
    { room: "N1", date: "2026-11-24", start: "14:00", end: "15:00", title: "Budget" },
  ];
  const taken = ({ room, date, start, end }: Omit<Booking, "title">) =>
    bookings.find(
      (each) => each.room === room && each.date === date && each.start < end && start < each.end,
    );

  function answer({ method, url = "" }: IncomingMessage, body: string): object {
    const { pathname, searchParams } = new URL(url, "http://rooms");
    if (method === "GET" && pathname === "/rooms") {
      const seats = Number(searchParams.get("seats") ?? 1);
      const building = searchParams.get("building");
      const found = rooms.filter((each) => each.building === building && each.seats >= seats);
      if (found.length === 0)
        return { code: 404, message: `There is no such room in ${building}.` };
      return { code: 0, data: { rooms: found } };
    }
    if (method !== "POST" || pathname !== "/bookings")
      return { code: 404, message: "No such page." };
    const wanted: Booking = JSON.parse(body);
    if (!rooms.some(({ room }) => room === wanted.room)) {
      const names = rooms.map(({ room }) => room).join(", ");
      return { code: 404, message: `There is no room ${wanted.room}; the rooms are ${names}.` };
    }
    const other = taken(wanted);
    if (other !== undefined) {
      const when = `${other.date} from ${other.start} to ${other.end}`;
      return { code: 409, message: `${wanted.room} is taken on ${when}: ${other.title}.` };
    }
    bookings.push(wanted);
    return { code: 0, data: { booking: `B${bookings.length}`, ...wanted } };
  }

  const server = createServer((request, response) => {
    response.setHeader("content-type", "application/json");
    void text(request).then((body) => response.end(JSON.stringify(answer(request, body))));
  });
  await new Promise<void>((listening) => server.listen(port, "127.0.0.1", listening));
  const address = server.address();
  const host = `127.0.0.1:${typeof address === "object" ? address?.port : ""}`;
  const close = () => {
    server.closeAllConnections();
    server.close();
  };
  return { host, url: `http://${host}`, close };
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const { url, host } = await startMeetingRooms(Number(process.argv[2] ?? 0));
  console.log(`Meeting rooms at ${url}. In another shell:`);
  console.log(
    `MEETING_ROOMS_URL=${url} npm run react -- "Book a room for four tomorrow at two." \\`,
  );
  console.log(`  --services examples/meeting-room --allow-host ${host}`);
}
