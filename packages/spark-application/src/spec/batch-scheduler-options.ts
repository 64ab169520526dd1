import { fields, map, quantity, text, type Shape } from "../shapes/shape.ts";

export interface BatchSchedulerConfiguration {
  readonly queue?: string;
  readonly priorityClassName?: string;
  readonly resources?: Readonly<Record<string, string>>;
}

export const BATCH_SCHEDULER_OPTIONS: Shape<BatchSchedulerConfiguration> = fields<BatchSchedulerConfiguration>({
  queue: text(),
  priorityClassName: text(),
  resources: map(quantity()),
});
