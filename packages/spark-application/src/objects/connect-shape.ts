import { fields, list, map, oneOf, orElse, required, text, time, whole, type Shape } from "../shapes/shape.ts";
import {
  CONNECT_STATES,
  NO_CONNECT_STATUS,
  type ConnectCondition,
  type SparkConnect,
  type SparkConnectStatus,
} from "../spark-connect.ts";
import { CONNECT_SPEC, EMPTY_CONNECT_SPEC } from "../spec/connect-spec.ts";
import { EMPTY_META, META } from "./meta-shape.ts";

const STATUS = fields<SparkConnectStatus>({
  conditions: list(
    fields<ConnectCondition>({
      type: required(text()),
      status: required(oneOf("True", "False", "Unknown")),
      reason: required(text()),
      message: required(text()),
      lastTransitionTime: required(time()),
      observedGeneration: whole(64, { minimum: 0 }),
    }),
  ),
  state: oneOf(...CONNECT_STATES),
  server: fields<NonNullable<SparkConnectStatus["server"]>>({ podName: text(), podIp: text(), serviceName: text() }),
  executors: map(whole(32)),
  startTime: time(),
  lastUpdateTime: time(),
});

export const SPARK_CONNECT: Shape<Omit<SparkConnect, "apiVersion" | "kind">> = fields<
  Omit<SparkConnect, "apiVersion" | "kind">
>({
  metadata: required(META, EMPTY_META),
  spec: required(CONNECT_SPEC, EMPTY_CONNECT_SPEC),
  status: orElse(STATUS, NO_CONNECT_STATUS),
});
