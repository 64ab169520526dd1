import { fields, flag, required, text, whole, type Shape } from "../shapes/shape.ts";

export interface MonitoringSpec {
  readonly exposeDriverMetrics: boolean;
  readonly exposeExecutorMetrics: boolean;
  readonly metricsProperties?: string;
  readonly metricsPropertiesFile?: string;
  readonly prometheus?: PrometheusSpec;
}

export interface PrometheusSpec {
  readonly jmxExporterJar: string;
  readonly port?: number;
  readonly portName?: string;
  readonly configFile?: string;
  readonly configuration?: string;
}

export const MONITORING: Shape<MonitoringSpec> = fields<MonitoringSpec>({
  exposeDriverMetrics: required(flag(), false),
  exposeExecutorMetrics: required(flag(), false),
  metricsProperties: text(),
  metricsPropertiesFile: text(),
  prometheus: fields<PrometheusSpec>({
    jmxExporterJar: required(text()),
    port: whole(32, { minimum: 1024, maximum: 49_151 }),
    portName: text(),
    configFile: text(),
    configuration: text(),
  }),
});
