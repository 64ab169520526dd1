/** Why a batch scheduler cannot be told what an application needs, in stock's words. */
export class SchedulingFault extends Error {
  constructor(message: string) {
    super(message);
    this.name = "SchedulingFault";
  }
}
