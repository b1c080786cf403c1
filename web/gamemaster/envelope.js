// What the manager of Stanford's course and its players write to each other: `message(ID,SENDER,RECEIVER,MESSAGE)`.

/** The parts of an envelope; null if the text is none. */
function openEnvelope(text) {
  const parts = /^\s*message\s*\(\s*([^\s,()]+)\s*,\s*([^\s,()]+)\s*,\s*([^\s,()]+)\s*,\s*([\s\S]*\S)\s*\)\s*$/.exec(text);
  if (!parts) return null;
  const [, id, sender, receiver, message] = parts;
  const kind = /^([a-z]+)\s*\([\s\S]*\)$/.exec(message)?.[1] ?? null;
  return { id, sender, receiver, message, kind };
}

/** The start clock and the play clock at the end of a `start` message, in seconds. */
function clocksOf(message) {
  const clocks = /,\s*([\d.]+)\s*,\s*([\d.]+)\s*\)\s*$/.exec(message.slice(-80));
  return { start: Number(clocks?.[1] ?? 10), play: Number(clocks?.[2] ?? 10) };
}
