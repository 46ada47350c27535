"""A client of the Broker API in one file: Python 3.8 or later, standard library alone.

Copy it into your project, or run it against a sandbox key:

    BROKER_URL=https://your-host/api BROKER_KEY=sk_test_... python3 broker.py
"""
import email.utils
import http.client
import json
import math
import os
import re
import socket
import time
import urllib.error
import urllib.parse
import urllib.request
import uuid
from datetime import date, datetime, timedelta, timezone


class BrokerError(Exception):
    """A call that was refused or failed for good. Branch on `code` and `reason`; `details` has the rest.

    Beside the API's codes: `timeout` and `network_failure` (`status` is 0, `message` says why), and `unexpected_answer`
    of something between you and the API. After these three it is unknown what was done.
    """

    def __init__(self, status, code, message, details=None, request_id=None, retry_after=None):
        super().__init__(f'{status} {code}: {message}' + (f' (X-Request-Id {request_id})' if request_id else ''))
        self.status, self.code, self.message = status, code, message
        self.details = details or {}
        self.reason = self.details.get('reason')
        self.request_id = request_id
        self.retry_after = retry_after  # seconds, where the answer names a time


class Broker:
    """Repeats what fails for a time: reads, and changes with an idempotency key, up to `tries` times in all.

    `timeout` and `max_wait` are seconds. A call that is told to wait longer than `max_wait` fails at once with its
    `retry_after`: give a nightly job 60, the length of a rate limit's window.
    """

    def __init__(self, url, key, tries=6, timeout=30, max_wait=30):
        self.url, self.tries, self.timeout, self.max_wait = url.strip().rstrip('/'), tries, timeout, max_wait
        self.key = (key or '').strip()
        # Never shown: the message may end in a log.
        if not re.fullmatch('[!-~]+', self.key):
            raise ValueError('The API key is empty or holds a character that no key has')

    def get(self, path, **query):
        texts = {name: _text(value, name) for name, value in query.items() if value is not None}
        return self._call('GET', path, query=texts)

    def post(self, path, body=None, idempotency_key=None):
        """Sends a change: without an idempotency key once, with one until it is answered, and it is done once.

        In `body` dates are sent as ISO 8601. None is JSON's null, which takes a value away (`update`); leave out what is
        to stay.

        Of the answer, `data` is the record, `replayed` whether an earlier call did the work, and `x_request_id` what to
        quote when you ask for help.
        """
        return self._call('POST', path, body=body, idempotency_key=idempotency_key)

    def follow(self, request, patience=3600):
        """Waits for the end of work; returns the final request. `request` is the data of the call that began it."""
        deadline = time.monotonic() + patience
        while not request['is_final']:
            wait = request['next_check_seconds']
            if time.monotonic() + wait > deadline:
                raise TimeoutError(f"{request['request_id']} is still {request['request_status']}")
            time.sleep(wait)
            request = self.get(f"/v1/requests/{request['request_id']}")['data']
        return request

    def each(self, path, **query):
        """All records of a list, oldest page last. Do not change what the filter asks for while it runs."""
        offset = 0
        while True:
            answer = self.get(path, limit=100, offset=offset, **query)
            yield from answer['data']
            offset += len(answer['data'])
            # Of a search `total` stops at 10000.
            if len(answer['data']) < 100:
                return

    def changes(self, path, since, keep, known=None, unmet=None):
        """Passes on what changed in /v1/services or /v1/requests; returns where the next round begins.

        Store that text once all records are kept. The rounds overlap by a minute: a record can come again.

        After a loss of the operator's records it reads the list once from its beginning. Then `known()` says which
        numbers (or request ids) you have, and `unmet` gets the list of those that were not met, if there are any: mark
        them for your staff, delete nothing.
        """
        after, name = 'after_number', 'service_number'
        if path.endswith('/requests'):
            after, name = 'after_request', 'request_id'
        # The date, and the history under which it was stored, if there was a loss by then.
        since, _, history = str(_iso(since) if isinstance(since, date) else since).partition(' history ')
        query, begin, met, history = {'updated_since': since}, None, None, history or '0'
        while True:
            answer = self.get(path, limit=100, **query)
            found = answer['pagination'].get('history', history)
            if found != history:
                query, begin, met, history = {'updated_since': '1970-01-01'}, None, set(), found
                continue
            if begin is None:
                server = datetime.fromisoformat(answer['server_date'].replace('Z', '+00:00'))
                begin = (server - timedelta(minutes=1)).astimezone(timezone.utc).isoformat()
            for record in answer['data']:
                keep(record)
                if met is not None:
                    met.add(record[name])
            if len(answer['data']) < 100:
                break
            last = answer['data'][-1]
            query = {'updated_since': last['updated_date'], after: last[name]}
        missing = [one for one in known() if one not in met] if met is not None and known else []
        if missing and unmet:
            unmet(missing)
        return begin if history == '0' else f'{begin} history {history}'

    def _call(self, method, path, query=None, body=None, idempotency_key=None):
        url = self.url + path + ('?' + urllib.parse.urlencode(query) if query else '')
        headers = {'Authorization': f'Bearer {self.key}', 'Content-Type': 'application/json'}
        if idempotency_key is not None:
            if not re.fullmatch('[ -~]+', idempotency_key):
                raise ValueError('The idempotency key must be printable ASCII on one line')
            headers['X-Idempotency-Key'] = idempotency_key
        data = None if method == 'GET' else json.dumps(body or {}, default=_iso, allow_nan=False).encode()
        for turn in range(1, self.tries + 1):
            try:
                return self._send(urllib.request.Request(url, data, headers, method=method))
            except BrokerError as error:
                repeatable = method == 'GET' or idempotency_key is not None
                passing = error.status < 300 or error.status == 429 or error.status >= 500
                wait = error.retry_after or min(2 ** turn, self.max_wait)
                if not (repeatable and passing) or turn == self.tries or wait > self.max_wait:
                    raise
            time.sleep(wait)

    def _send(self, request):
        try:
            try:
                response = _opener.open(request, timeout=self.timeout)
            except urllib.error.HTTPError as refusal:
                response = refusal
            with response:
                text = response.read()
        except (OSError, http.client.HTTPException) as failure:
            why = getattr(failure, 'reason', failure)
            code = 'timeout' if isinstance(why, socket.timeout) else 'network_failure'
            raise BrokerError(0, code, str(why)) from failure
        headers = response.headers
        try:
            answer = json.loads(text)
        except ValueError:
            answer = None
        answer = answer if isinstance(answer, dict) else {}
        if response.code < 300 and answer.get('success') is True and 'data' in answer:
            answer['replayed'] = headers.get('Idempotent-Replayed') == 'true'
            answer['x_request_id'] = headers.get('X-Request-Id')
            answer['server_date'] = headers.get('X-Server-Date')
            return answer
        error = answer.get('error') if answer.get('success') is False else None
        if not _is_ours(error):
            error = {'code': 'unexpected_answer', 'message': 'This is no answer of the Broker API'}
        known = error.get('details'), headers.get('X-Request-Id'), _retry_after(headers)
        raise BrokerError(response.code, error.get('code'), error.get('message'), *known)


def _text(value, name):
    """A value of a query; a filter whose text means nothing is not sent."""
    if isinstance(value, bool):
        return 'true' if value else 'false'
    if isinstance(value, str) or isinstance(value, (int, float)) and math.isfinite(value):
        return value
    try:
        return _iso(value)
    except TypeError:
        raise TypeError(f'{name} cannot be sent: {type(value).__name__}') from None


def _iso(value):
    """A date as ISO 8601; a time in UTC."""
    if isinstance(value, datetime):
        if value.tzinfo is None:
            raise ValueError(f'{value} has no time zone: give it one, such as timezone.utc')
        return value.astimezone(timezone.utc).isoformat()
    if isinstance(value, date):
        return value.isoformat()
    raise TypeError(f'cannot be sent: {type(value).__name__}')


def _is_ours(error):
    """Whether it is the API's error: another system's may have the same names for values of other types."""
    if not isinstance(error, dict) or not all(isinstance(error.get(name), str) for name in ('code', 'message')):
        return False
    details = error.get('details', {})
    return isinstance(details, dict) and isinstance(details.get('reason', ''), str)


class _NoRedirects(urllib.request.HTTPRedirectHandler):
    """A redirect would send the key to another address, and make a GET of a POST."""

    def redirect_request(self, *_):
        return None


_opener = urllib.request.build_opener(_NoRedirects)


def _retry_after(headers):
    """Seconds, one at least. The header holds them or a date, which is compared with the date of the answer."""
    value = headers.get('Retry-After', '')
    try:
        if value.isdecimal():
            return max(1, int(value))
        sent = headers.get('Date') or email.utils.formatdate(usegmt=True)
        until, since = (email.utils.parsedate_to_datetime(date).timestamp() for date in (value, sent))
        return max(1, math.ceil(until - since))
    except (TypeError, ValueError):
        return None


def main():
    broker = Broker(os.environ['BROKER_URL'], os.environ['BROKER_KEY'])

    # Keep the key beside the order, so that a restart repeats the same call.
    order = os.environ.get('ORDER') or f'order-{uuid.uuid4()}'
    new = {'plan': 'starter', 'external_reference': order, 'client': {'name': 'Ada Example', 'email': 'ada@example.com'}}
    options = {plan['slug']: [option['name'] for option in plan['options']] for plan in broker.each('/v1/plans')}
    if 'hostname' in options.get(new['plan'], []):
        new['configuration'] = {'hostname': 'shop.example.com'}
    created = broker.post('/v1/services', new, idempotency_key=order)['data']
    print('created', broker.follow(created)['request_status'], created['service_number'])

    service = f"/v1/services/{created['service_number']}"
    record = broker.get(service)['data']
    print('access', record['access'] and record['access']['hostname'], 'chosen', record['configuration'].get('hostname'))
    if record['has_credentials']:
        # Show them to the client, and keep them nowhere.
        login, *_ = broker.get(f'{service}/credentials')['data']['credentials']
        print('credentials', login['display_name'], login['username'])
    if 'reboot' in (action['name'] for action in record['actions']):
        reboot = broker.post(f'{service}/actions', {'action': 'reboot'}, idempotency_key=f'{order}-reboot')['data']
        print('reboot', broker.follow(reboot)['request_status'])

    upgrade = broker.post(f'{service}/upgrade', {'new_plan': 'business'}, idempotency_key=f'{order}-upgrade')['data']
    print('upgrade', broker.follow(upgrade)['request_status'])

    try:
        broker.post(f'{service}/upgrade', {'new_plan': 'business'})
    except BrokerError as error:
        print('refused', error.code, error.reason)

    services = {}
    begin = broker.changes('/v1/services', '2020-01-01', lambda record: services.update({record['service_number']: record}))
    total = sum(1 for _ in broker.each('/v1/services'))
    print('copied', len(services) == total, 'next round', begin[:4].isdigit())
    used = {one['service_number']: one['transfer_gb_used'] for one in broker.each('/v1/consumption')}
    print('consumption', len(used))


if __name__ == '__main__':
    main()
