/** Bytes per second over the last few seconds. */
export interface RateMeter {
  add(bytes: number, now: number): void;
  /** In bytes per second; 0 while nothing is known. */
  rate(now: number): number;
}

const SLOT_MS = 250;
const SLOTS = 20;

export function rateMeter(): RateMeter {
  const slots: { at: number; bytes: number }[] = [];
  const forget = (now: number): void => {
    while (slots[0] !== undefined && slots[0].at < now - SLOT_MS * SLOTS) slots.shift();
  };
  return {
    add(bytes, now) {
      const last = slots.at(-1);
      if (last !== undefined && now - last.at < SLOT_MS) last.bytes += bytes;
      else slots.push({ at: now, bytes });
      forget(now);
    },
    rate(now) {
      forget(now);
      const first = slots[0];
      if (first === undefined) return 0;
      const total = slots.reduce((sum, slot) => sum + slot.bytes, 0);
      return (total * 1000) / Math.max(now - first.at, SLOT_MS);
    },
  };
}
