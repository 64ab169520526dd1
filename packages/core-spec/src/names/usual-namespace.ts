/**
 * The namespace where an installation for the whole cluster is expected: the documentation's commands install the chart
 * there.
 */
export const USUAL_NAMESPACE = "kindling";
