/** The priorities that applications of a queue may have; a missing limit means no limit. */
export interface PriorityRange {
  readonly min?: number | undefined;
  readonly max?: number | undefined;
  /** The priority of applications that name none. Default: 0, or the nearest value within the range. */
  readonly default?: number | undefined;
}
