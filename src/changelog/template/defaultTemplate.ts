import { Result } from "effect"
import type { Template } from "./ast.ts"
import { Budget } from "./budget.ts"
import { parse } from "./parse.ts"

const source = `\
{% if categories %}
{% each categories %}
### {{ title }} ({% if single_change %}1 change{% else %}{{ count }} changes{% end %})

{% each entries %}
- [{{ title }}]({{ commit.web_url }})\\
{% if author.credit %} by {{ author.reference }}{% end %}\\
{% if merge_request %} ([merge request]({{ merge_request.web_url }})){% end %}

{% end %}

{% end %}
{% else %}
No changes.
{% end %}
`

/** What a section says unless the configuration has a template. */
export const defaultTemplate: Template = Result.getOrThrow(parse(source, new Budget(10_000)))
