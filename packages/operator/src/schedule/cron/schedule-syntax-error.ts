/** A schedule that robfig/cron does not take either. The message begins with its words, which stock puts into the status. */
export class ScheduleSyntaxError extends Error {
  override readonly name = "ScheduleSyntaxError";
}
