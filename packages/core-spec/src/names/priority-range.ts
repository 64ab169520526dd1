/** Which priorities applications of a queue may have; what is missing has no bound. */
export interface PriorityRange {
  readonly min?: number | undefined;
  readonly max?: number | undefined;
  /** Of applications that name none; 0, or what of the range is nearest to it, if nothing is said. */
  readonly default?: number | undefined;
}
