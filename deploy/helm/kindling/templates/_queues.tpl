{{/* An amount such as 500m or 16Gi as a number. */}}
{{- define "kindling.amount" -}}
{{- $text := include "kindling.settingText" . -}}
{{- $factors := dict "m" 0.001 "k" 1e3 "M" 1e6 "G" 1e9 "T" 1e12 "P" 1e15 "E" 1e18
      "Ki" 1024.0 "Mi" 1048576.0 "Gi" 1073741824.0 "Ti" 1099511627776.0 "Pi" 1125899906842624.0 "Ei" 1152921504606846976.0 -}}
{{- $unit := regexFind "[a-zA-Z]+$" $text -}}
{{- mulf (float64 (trimSuffix $unit $text)) (index $factors $unit | default 1.0) -}}
{{- end }}

{{/* The guarantee of a queue, as JSON: its own value, or else the sum of its children's guarantees. */}}
{{- define "kindling.queueGuarantee" -}}
{{- $amounts := include "kindling.childGuarantee" . | fromJson -}}
{{- range $name, $amount := .guarantee }}{{ $_ := set $amounts $name (include "kindling.amount" $amount | float64) }}{{ end -}}
{{- toJson $amounts -}}
{{- end }}

{{- define "kindling.childGuarantee" -}}
{{- $amounts := dict -}}
{{- range .children -}}
{{- range $name, $amount := include "kindling.queueGuarantee" . | fromJson -}}
{{- $_ := set $amounts $name (addf (index $amounts $name | default 0.0) $amount) -}}
{{- end -}}
{{- end -}}
{{- toJson $amounts -}}
{{- end }}

{{/*
Fails if queues contradict each other, which a schema cannot express. The gateway would refuse them and keep the
queues from before.
*/}}
{{- define "kindling.checkQueues" -}}
{{- $parent := .parent -}}
{{- $above := .range -}}
{{- $seen := dict -}}
{{- range .queues -}}
{{- $path := ternary .name (printf "%s.%s" $parent .name) (empty $parent) -}}
{{- if hasKey $seen .name }}{{ fail (printf "queues: there are two queues %s: give one of them another name" $path) }}{{ end -}}
{{- $_ := set $seen .name true -}}
{{- if gt (len $path) 63 }}{{ fail (printf "queues: queue %s: applications cannot name it, since labels have at most 63 characters" $path) }}{{ end -}}
{{- $sum := include "kindling.childGuarantee" . | fromJson -}}
{{- range $name, $amount := .guarantee -}}
{{- if gt (round (index $sum $name | default 0.0) 6) (round (include "kindling.amount" $amount | float64) 6) -}}
{{- fail (printf "queues: queue %s: guarantee of %s: its children are guaranteed more than its own %v" $path $name $amount) -}}
{{- end -}}
{{- end -}}
{{- $guarantee := include "kindling.queueGuarantee" . | fromJson -}}
{{- range $name, $amount := .ceiling -}}
{{- if gt (round (index $guarantee $name | default 0.0) 6) (round (include "kindling.amount" $amount | float64) 6) -}}
{{- fail (printf "queues: queue %s: ceiling of %s: %v is less than the guarantee of it or of its children" $path $name $amount) -}}
{{- end -}}
{{- end -}}
{{- $own := .priority | default dict -}}
{{- $least := index $above "min" -}}
{{- $most := index $above "max" -}}
{{- if hasKey $own "min" }}{{ $least = max (int64 $own.min) $least }}{{ end -}}
{{- if hasKey $own "max" }}{{ $most = min (int64 $own.max) $most }}{{ end -}}
{{- if and $own (gt $least $most) }}{{ fail (printf "queues: queue %s: priority: min %d is above max %d, its own or that of a queue above it" $path $least $most) }}{{ end -}}
{{- if hasKey $own "default" -}}
{{- if or (lt (int64 $own.default) $least) (gt (int64 $own.default) $most) -}}
{{- fail (printf "queues: queue %s: priority: default %d is outside the range" $path (int64 $own.default)) -}}
{{- end -}}
{{- end -}}
{{- include "kindling.checkQueues" (dict "queues" (.children | default list) "parent" $path "range" (dict "min" $least "max" $most)) -}}
{{- end -}}
{{- end }}

{{/* Whether the chart writes a file of queues. */}}
{{- define "kindling.writesQueues" -}}
{{- if or .Values.queues .Values.gateway.nodes }}true{{ end -}}
{{- end }}

{{/* Whether the gateway has a file of queues. */}}
{{- define "kindling.hasQueues" -}}
{{- if or (include "kindling.writesQueues" .) (index .Values.gateway.settings "queues.file") }}true{{ end -}}
{{- end }}

{{/* Whether a queue selects namespaces by their labels. */}}
{{- define "kindling.selectsNamespaces" -}}
{{- if regexMatch "\"match(Labels|Expressions)\"" (toJson .Values.queues) }}true{{ end -}}
{{- end }}

{{/*
The queue that a submission must name, as a flag with a blank before it: the first queue, if none is called `default`
and the properties name none. Empty if no flag is needed, or if the queue is not known.
*/}}
{{- define "kindling.queueFlag" -}}
{{- $isNamed := or (hasKey .Values.properties "spark.kindling.scheduler.queue") (index .Values.gateway.settings "queues.file") -}}
{{- if and .Values.gateway.enabled .Values.queues (not $isNamed) -}}
{{- $default := false -}}
{{- range .Values.queues }}{{ if and (eq .name "default") (not .children) }}{{ $default = true }}{{ end }}{{ end -}}
{{- if not $default }} --conf spark.kindling.scheduler.queue={{ include "kindling.firstQueue" (first .Values.queues) }}{{ end -}}
{{- end -}}
{{- end }}

{{/* The path of the first queue at or below one that applications can be in. */}}
{{- define "kindling.firstQueue" -}}
{{- .name }}{{ with .children }}.{{ include "kindling.firstQueue" (first .) }}{{ end -}}
{{- end }}
