/** How a program ended, and what it said. */
export interface Ran {
  readonly exit: number;
  readonly out: string;
  readonly err: string;
}
