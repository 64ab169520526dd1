import { Gauge, type Registry } from "prom-client";

const GAUGES = [
  { figure: "applications", name: "gateway_applications", help: "Applications whose drivers are served" },
  { figure: "waiting", name: "gateway_executors_waiting", help: "Executors that wait for admission" },
  {
    figure: "beingMade",
    name: "gateway_executors_being_made",
    help: "Admitted executors that are not there yet",
  },
  {
    figure: "waitingForQuota",
    name: "gateway_executors_waiting_for_quota",
    help: "Admitted executors whose namespace is full",
  },
] as const;

/** Figures that are kept elsewhere, and read when the metrics are requested. */
export type Figures = Readonly<Record<(typeof GAUGES)[number]["figure"], number>>;

/** @param figures returns undefined while the gateway serves no drivers; then all figures are 0 */
export function registerFigures(registry: Registry, figures: () => Figures | undefined): void {
  for (const { figure, name, help } of GAUGES) {
    registry.registerMetric(
      new Gauge({
        name,
        help,
        registers: [],
        collect() {
          this.set(figures()?.[figure] ?? 0);
        },
      }),
    );
  }
}
