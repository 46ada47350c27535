"""A client of the Broker API in one file: Python 3.9 or later, standard library alone.

Copy it into your project, or run it against a sandbox key:

    BROKER_URL=https://your-host/api BROKER_KEY=sk_test_... python3 broker.py
"""
import json
import os
import time
import urllib.error
import urllib.parse
import urllib.request
import uuid
from datetime import datetime, timedelta, timezone


class BrokerError(Exception):
    """A call that was refused, or that failed for good. Branch on `code` and `reason`; `details` has the rest."""

    def __init__(self, status, code, message, details, request_id):
        super().__init__(f'{status} {code}: {message} (X-Request-Id {request_id})')
        self.status, self.code, self.message = status, code, message
        self.details = details or {}
        self.reason = self.details.get('reason')
        self.request_id = request_id


class Broker:
    def __init__(self, url, key, tries=6, timeout=30):
        self.url, self.key, self.tries, self.timeout = url.rstrip('/'), key, tries, timeout

    def get(self, path, **query):
        return self._call('GET', path, query=query)

    def post(self, path, body=None, idempotency_key=None):
        """Sends a change. With an idempotency key it is repeated until it is answered, and done once."""
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
            if not answer['data'] or offset >= answer['pagination']['total']:
                return

    def changes(self, path, since, keep):
        """Passes on what changed in /v1/services or /v1/requests; returns where the next round begins.

        Store that date once all records are kept. The rounds overlap by a minute: a record can come again.
        """
        after, name = 'after_number', 'service_number'
        if path.endswith('/requests'):
            after, name = 'after_request', 'request_id'
        query, begin = {'updated_since': since}, None
        while True:
            answer = self.get(path, limit=100, **query)
            if begin is None:
                server = datetime.fromisoformat(answer['server_date'].replace('Z', '+00:00'))
                begin = (server - timedelta(minutes=1)).astimezone(timezone.utc).isoformat()
            for record in answer['data']:
                keep(record)
            if len(answer['data']) < 100:
                return begin
            last = answer['data'][-1]
            query = {'updated_since': last['updated_date'], after: last[name]}

    def _call(self, method, path, query=None, body=None, idempotency_key=None):
        url = self.url + path + ('?' + urllib.parse.urlencode(query) if query else '')
        headers = {'Authorization': f'Bearer {self.key}', 'Content-Type': 'application/json'}
        if idempotency_key is not None:
            headers['X-Idempotency-Key'] = idempotency_key
        data = None if method == 'GET' else json.dumps(body or {}).encode()
        # What may be sent again although it may have been done.
        safe = method == 'GET' or idempotency_key is not None
        for turn in range(1, self.tries + 1):
            wait = min(2 ** turn, 60)
            try:
                request = urllib.request.Request(url, data, headers, method=method)
                with urllib.request.urlopen(request, timeout=self.timeout) as response:
                    answer = json.load(response)
                    answer['server_date'] = response.headers.get('X-Server-Date')
                    return answer
            except urllib.error.HTTPError as failure:
                error = _error_of(failure)
                # 429: nothing was done. A warning limit can last a day, so it is the caller's to decide.
                again = error.status == 429 and error.reason != 'warning_limit' or error.status >= 500 and safe
                if not again or turn == self.tries:
                    raise error from None
                wait = int(failure.headers.get('Retry-After') or wait)
            except (OSError, ValueError):
                # No connection, none that lasted, or half an answer.
                if not safe or turn == self.tries:
                    raise
            time.sleep(wait)


def _error_of(failure):
    request_id = failure.headers.get('X-Request-Id')
    try:
        error = json.loads(failure.read())['error']
        return BrokerError(failure.code, error['code'], error['message'], error.get('details'), request_id)
    except (ValueError, KeyError, OSError):
        return BrokerError(failure.code, 'unreadable', 'The answer is none of the API', None, request_id)


def main():
    broker = Broker(os.environ['BROKER_URL'], os.environ['BROKER_KEY'])

    # Keep the key beside the order, so that a restart repeats the same call.
    order = os.environ.get('ORDER') or f'order-{uuid.uuid4()}'
    new = {'plan': 'starter', 'external_reference': order, 'client': {'name': 'Ada Example', 'email': 'ada@example.com'}}
    created = broker.post('/v1/services', new, idempotency_key=order)['data']
    print('created', broker.follow(created)['request_status'], created['service_number'])

    service = f"/v1/services/{created['service_number']}"
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


if __name__ == '__main__':
    main()
