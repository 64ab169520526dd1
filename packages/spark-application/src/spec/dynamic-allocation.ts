import { fields, flag, whole, type Shape } from "../shapes/shape.ts";

export interface DynamicAllocation {
  readonly enabled?: boolean;
  readonly initialExecutors?: number;
  readonly minExecutors?: number;
  readonly maxExecutors?: number;
  readonly shuffleTrackingEnabled?: boolean;
  /** Milliseconds. */
  readonly shuffleTrackingTimeout?: number;
}

export const DYNAMIC_ALLOCATION: Shape<DynamicAllocation> = fields<DynamicAllocation>({
  enabled: flag(),
  initialExecutors: whole(32),
  minExecutors: whole(32),
  maxExecutors: whole(32),
  shuffleTrackingEnabled: flag(),
  shuffleTrackingTimeout: whole(64),
});
