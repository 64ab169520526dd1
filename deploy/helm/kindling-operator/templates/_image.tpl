{{- /*
Reference of an image. Values for kubeflow's chart may name the stock operator's image, or a version of it. That
operator cannot work with this chart, so Kindling's image runs instead. A configured registry, such as a mirror, is
kept, also as the first part of the repository. A copy of the stock image under another name is refused: the place of
a copy of Kindling's image is not known, and the pod would run an operator without the webhook that it needs.
*/}}
{{- define "kindling-operator.image" -}}
{{- $image := .image -}}
{{- $tag := toString (default "" $image.tag) -}}
{{- $isStock := ne (include "kindling-operator.isStockImage" .) "" -}}
{{- if and (not $isStock) (include "kindling-operator.isStockCopy" .) -}}
{{- fail (printf "image.repository %s%s looks like a copy of kubeflow's operator, which this chart cannot run: copy docker.io/kindling/operator:%s and name the copy in image.repository, or take image.repository and image.tag out of your values. If it is a copy of Kindling's, give its tag in image.tag" $image.repository (ternary (printf ":%s" $tag) "" (ne $tag "")) .context.Chart.AppVersion) -}}
{{- end -}}
{{- $host := include "kindling-operator.registryOf" $image.repository -}}
{{- $isUsualHost := has $host (list "ghcr.io" "gcr.io" "docker.io") -}}
{{- $isUsual := has (default "" $image.registry) (list "ghcr.io" "docker.io") -}}
{{- $registry := default "" $image.registry -}}
{{- if $isStock -}}
{{- $registry = ternary (ternary "docker.io" $host (or $isUsualHost (eq $host ""))) $registry $isUsual -}}
{{- else if and $isUsual (ne $host "") -}}
{{- $registry = "" -}}
{{- end -}}
{{- with $registry }}{{ trimSuffix "/" . }}/{{ end }}{{ ternary "kindling/operator" $image.repository $isStock }}:{{ ternary "" $tag $isStock | default .context.Chart.AppVersion }}
{{- end }}

{{- /* The registry at the beginning of a repository, as in harbor.example/team/operator; empty without one. */}}
{{- define "kindling-operator.registryOf" -}}
{{- $first := first (splitList "/" .) -}}
{{- if and (contains "/" .) (or (contains "." $first) (contains ":" $first) (eq $first "localhost")) -}}
{{ $first }}
{{- end -}}
{{- end }}

{{- /* Not empty for the repositories in which the stock operator was ever published, and for tags of its releases,
   which Kindling's operator does not use. */}}
{{- define "kindling-operator.isStockImage" -}}
{{- $isPublished := regexMatch "(^|/)(kubeflow|googlecloudplatform|spark-operator)/spark-operator(/|$)" (lower .image.repository) -}}
{{- if or $isPublished (and (eq "kindling/operator" .image.repository) (regexMatch "^v?2\\.[0-9]+\\.[0-9]+" (toString (default "" .image.tag)))) -}}
yes
{{- end -}}
{{- end }}

{{- /* Not empty for another repository with the stock operator's name, unless the stock operator never uses such a
   tag. */}}
{{- define "kindling-operator.isStockCopy" -}}
{{- $tag := toString (default "" .image.tag) -}}
{{- $isNamed := regexMatch "(^|/)[^/]*spark-operator[^/]*(/controller)?$" (lower .image.repository) -}}
{{- if and $isNamed (ne $tag .context.Chart.AppVersion) (or (eq $tag "") (eq $tag "latest") (regexMatch "^v?([12]\\.[0-9]|1beta)" $tag)) -}}
yes
{{- end -}}
{{- end }}
