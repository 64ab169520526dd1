/** A schedule that robfig/cron refuses too. The message begins with its words, which stock puts into the status. */
export class ScheduleSyntaxError extends Error {
  override readonly name = "ScheduleSyntaxError";
}
