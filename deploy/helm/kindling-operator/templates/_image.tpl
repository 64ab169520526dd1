{{- /*
Reference of an image. Values for kubeflow's chart may name the stock operator's image, or a version of it: it knows
nothing of this chart, so that ours runs in its place. A registry that is said, as a mirror, is kept.
*/}}
{{- define "kindling-operator.image" -}}
{{- $image := .image -}}
{{- $isStock := include "kindling-operator.isStockImage" . -}}
{{- $repository := ternary "kindling/operator" $image.repository (contains "kubeflow/spark-operator" $image.repository) -}}
{{- $registry := ternary "docker.io" $image.registry (and (ne $isStock "") (eq (default "" $image.registry) "ghcr.io")) -}}
{{- $tag := ternary "" (toString (default "" $image.tag)) (ne $isStock "") | default .context.Chart.AppVersion -}}
{{- with $registry }}{{ trimSuffix "/" . }}/{{ end }}{{ $repository }}:{{ $tag }}
{{- end }}

{{- /* Not empty for kubeflow's repositories, and for tags of its releases, which ours has none of. */}}
{{- define "kindling-operator.isStockImage" -}}
{{- if or (contains "kubeflow/spark-operator" .image.repository) (and (eq "kindling/operator" .image.repository) (regexMatch "^v?2\\.[0-9]+\\.[0-9]+" (toString (default "" .image.tag)))) -}}
yes
{{- end -}}
{{- end }}
