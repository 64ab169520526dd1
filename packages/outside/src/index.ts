export { backgroundClock, systemClock, type Clock } from "./clock.ts";
export { ManualClock } from "./manual-clock.ts";
export { systemOutside, type Env, type Outside } from "./outside.ts";
export { systemRandom, type Random } from "./random.ts";
export { sleep } from "./sleep.ts";
export { within } from "./within.ts";
