import type { TemplateSource } from '../ports.ts';

const letter = (body: string): string => `<!doctype html>
<html lang="en">
<body style="font-family: sans-serif; line-height: 1.5; max-width: 36em; margin: 2em auto">
<p>Dear {{ client_name }},</p>
${body}
<p>Kind regards,<br>{{ broker_name }}</p>
</body>
</html>
`;

const NAMED = '{% if service_label != "" %} ({{ service_label }}){% endif %}';

/** The demo broker's templates, one of each kind; they may serve as a pattern for one's own. */
export const DEMO_TEMPLATES: Record<string, TemplateSource> = {
  'cancellation-warning': {
    subject: `Your service {{ service_number }}${NAMED} is at risk of cancellation`,
    html: letter(`<p>we may have to cancel your service <strong>{{ service_number }}</strong>${NAMED} on the plan {{ plan_name }}. The reason:</p>
<blockquote>{{ warning_reason | newline_to_br }}</blockquote>
{% if renewal_date != "" %}<p>Please get in touch before <strong>{{ renewal_date }}</strong>, so that it can go on without interruption.</p>{% endif %}
<p>Nothing has been cancelled yet. If the matter is settled already, you need not do anything.</p>`),
    text: `Dear {{ client_name }},

we may have to cancel your service {{ service_number }}${NAMED} on the plan {{ plan_name }}. The reason:

    {{ warning_reason }}
{% if renewal_date != "" %}
Please get in touch before {{ renewal_date }}, so that it can go on without interruption.
{% endif %}
Nothing has been cancelled yet. If the matter is settled already, you need not do anything.

Kind regards,
{{ broker_name }}
`,
  },
  'plan-change-completed': {
    subject: `Your service {{ service_number }} is now on the plan {{ plan_name }}`,
    html: letter(`<p>your service <strong>{{ service_number }}</strong>${NAMED} has moved to the plan <strong>{{ plan_name }}</strong>.</p>
<p>Please restart it when it suits you, so that it can use its new size.</p>`),
    text: `Dear {{ client_name }},

your service {{ service_number }}${NAMED} has moved to the plan {{ plan_name }}.
Please restart it when it suits you, so that it can use its new size.

Kind regards,
{{ broker_name }}
`,
  },
  'service-created': {
    subject: `Your new service {{ service_number }} is ready`,
    html: letter(
      `<p>welcome! Your service <strong>{{ service_number }}</strong>${NAMED} on the plan {{ plan_name }} is ready for you.</p>`,
    ),
    text: `Dear {{ client_name }},

welcome! Your service {{ service_number }}${NAMED} on the plan {{ plan_name }} is ready for you.

Kind regards,
{{ broker_name }}
`,
  },
  'cancellation-completed': {
    subject: `Your service {{ service_number }} has been cancelled`,
    html: letter(`<p>your service <strong>{{ service_number }}</strong>${NAMED} has been cancelled. It is no longer billed.</p>
<p>Thank you for having been with us.</p>`),
    text: `Dear {{ client_name }},

your service {{ service_number }}${NAMED} has been cancelled. It is no longer billed.
Thank you for having been with us.

Kind regards,
{{ broker_name }}
`,
  },
};
