// Services as data: two definitions in JSON (examples/meeting-room) make a running HTTP service an agent's tools. The
// building is missing and asked for; the room is taken, the service says so, and the agent offers another.
// Run it: npx tsx examples/meeting-room.ts
import { Command, INTERRUPT, isInterrupted, MemorySaver } from "@langchain/langgraph";
import { askUser, createReactGraph, type PersonRequests } from "plangraph";
import { loadServices } from "plangraph/services";
import { scriptedModel } from "plangraph/testing";

import { startMeetingRooms } from "./meeting-room/server.js";

const service = await startMeetingRooms();
const services = await loadServices(["examples/meeting-room"], {
  environment: { MEETING_ROOMS_URL: service.url },
  // It runs on this machine: private addresses are refused unless they are named.
  allowHosts: [service.host],
});

const slot = { date: "2026-11-24", start: "14:00", end: "15:00", title: "Team meeting" };
const book = (room: string) => ({ toolCalls: [{ name: "book_room", args: { room, ...slot } }] });
const models = scriptedModel([
  { toolCalls: [{ name: "ask_user", args: { question: "In which building: North or South?" } }] },
  { toolCalls: [{ name: "find_rooms", args: { building: "North", seats: 4 } }] },
  book("N1"),
  "N1 is taken from 14:00 to 15:00. N2 has eight seats: shall I book it instead?",
  book("N2"),
  "N2 is yours on 24 November from 14:00 to 15:00, booking B2.",
]);

const tools = [...services, askUser];
const graph = createReactGraph({ models, tools, checkpointer: new MemorySaver() });
const thread = { configurable: { thread_id: "booking" } };
const says = (content: string) => ({ messages: [{ role: "user" as const, content }] });

const asking = "Book a room for four on 24 November from two to three, team meeting.";
const paused = await graph.invoke(says(asking), thread);
console.log("user:", asking);
if (isInterrupted<PersonRequests>(paused)) {
  console.log("agent:", paused[INTERRUPT][0]?.value?.action_requests[0]?.description);
}

const offered = await graph.invoke(new Command({ resume: "North." }), thread);
console.log("user: North.");
for (const { tool, ok, error, value } of offered.observations) {
  console.log(`  ${tool}:`, ok ? JSON.stringify(value ?? "answered") : error?.message);
}
console.log("agent:", offered.answer);

const booked = await graph.invoke(says("Yes, please."), thread);
console.log("user: Yes, please.");
for (const { tool, value } of booked.observations) console.log(`  ${tool}:`, JSON.stringify(value));
console.log("agent:", booked.answer);
service.close();

/* prints:
user: Book a room for four on 24 November from two to three, team meeting.
agent: In which building: North or South?
user: North.
  ask_user: "answered"
  find_rooms: [{"room":"N1","building":"North","seats":4},{"room":"N2","building":"North","seats":8}]
  book_room: N1 is taken on 2026-11-24 from 14:00 to 15:00: Budget.
agent: N1 is taken from 14:00 to 15:00. N2 has eight seats: shall I book it instead?
user: Yes, please.
  book_room: {"booking":"B2","room":"N2","date":"2026-11-24","start":"14:00","end":"15:00","title":"Team meeting"}
agent: N2 is yours on 24 November from 14:00 to 15:00, booking B2.
*/
