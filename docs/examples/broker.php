<?php
/**
 * A client of the Broker API in one file: PHP 8.1 or later with the curl extension.
 *
 * Copy it into your project, or run it against a sandbox key:
 *
 *     BROKER_URL=https://your-host/api BROKER_KEY=sk_test_... php broker.php
 */
declare(strict_types=1);

/**
 * A call that was refused or failed for good. Branch on `errorCode` and `reason`; `details` has the rest.
 *
 * Beside the API's codes: `timeout` and `network_failure` (`status` is 0, the message says why), and
 * `unexpected_answer` of something between you and the API. After these three it is unknown what was done.
 */
final class BrokerError extends RuntimeException
{
    public readonly ?string $reason;

    /** @param ?int $retryAfter seconds, where the answer names a time */
    public function __construct(
        public readonly int $status,
        public readonly string $errorCode,
        string $text,
        public readonly array $details = [],
        public readonly ?string $requestId = null,
        public readonly ?int $retryAfter = null,
    ) {
        parent::__construct("$status $errorCode: $text" . ($requestId === null ? '' : " (X-Request-Id $requestId)"));
        $this->reason = $details['reason'] ?? null;
    }

    /**
     * What to look at: the `address`, the server's `certificate`, the `key`, the `firewall`, a `scope` that the key
     * lacks, the rate `limit`, the `server` (repeat later), or the `call` itself.
     */
    public function fault(): string
    {
        // Numbers of curl, not all of which PHP names: no such host, nothing listens; all about TLS.
        $curl = $this->details['curl_error'] ?? 0;
        return match (true) {
            in_array($curl, [1, 3, 5, 6, 7], true) => 'address',
            in_array($curl, [35, 51, 53, 54, 58, 59, 60, 64, 66, 77, 80, 82, 83, 90, 91, 98], true) => 'certificate',
            $this->status === 0, $this->status >= 500 => 'server',
            $this->status === 401 => 'key',
            $this->reason === 'ip_not_whitelisted' => 'firewall',
            $this->reason === 'missing_scope' => 'scope',
            $this->status === 429 => 'limit',
            $this->errorCode === 'unexpected_answer', $this->reason === 'https_required' => 'address',
            default => 'call',
        };
    }
}

/** Repeats what fails for a time: reads, and changes with an idempotency key, up to `tries` times in all. */
final class Broker
{
    private const SHORT_TIMEOUT = 5;

    /** @var array<string, true> addresses that gave no answer to a call for its whole patience */
    private static array $silent = [];

    /**
     * `timeout` and `maxWait` are seconds. A call that is told to wait longer than `maxWait` fails at once with its
     * `retryAfter`: give a nightly job 60, the length of a rate limit's window.
     *
     * `patience` is the seconds that a call may take in all, beside the waits that answers name. Once a call had no
     * answer for so long, the next ones of this process are tried once, for 5 seconds, until one is answered.
     */
    public function __construct(
        private string $url,
        #[SensitiveParameter] private string $key,
        private int $tries = 6,
        private int $timeout = 30,
        private int $maxWait = 30,
        private ?int $patience = null,
    ) {
        $this->url = rtrim(trim($url), '/');
        $this->key = trim($key);
        // Never shown: the message may end in a log.
        if (!preg_match('/^[!-~]+$/D', $this->key)) {
            throw new InvalidArgumentException('The API key is empty or holds a character that no key has');
        }
    }

    /** Before a call that comes once, such as for a payment: it is waited for though earlier ones had no answer. */
    public static function waitAgain(): void
    {
        self::$silent = [];
    }

    public function get(string $path, array $query = []): array
    {
        $texts = [];
        foreach ($query as $name => $value) {
            if ($value !== null) {
                $texts[$name] = self::text($value, "query.$name");
            }
        }
        return $this->call('GET', $path . ($texts ? '?' . http_build_query($texts) : ''));
    }

    /**
     * Sends a change: without an idempotency key once, with one until it is answered, and it is done once.
     *
     * In `$body` a DateTimeInterface is sent as ISO 8601, and an empty array as an object: no call takes a list. Null
     * takes a value away (`update`); leave out what is to stay.
     *
     * Of the answer, `data` is the record, `replayed` whether an earlier call did the work, and `x_request_id` what to
     * quote when you ask for help.
     */
    public function post(string $path, array $body = [], ?string $idempotencyKey = null): array
    {
        $json = json_encode((object) self::json($body, 'body'), JSON_THROW_ON_ERROR);
        return $this->call('POST', $path, $json, $idempotencyKey);
    }

    /** Waits for the end of work; returns the final request. `$request` is the data of the call that began it. */
    public function follow(array $request, int $patience = 3600): array
    {
        $deadline = microtime(true) + $patience;
        while (!$request['is_final']) {
            $wait = $request['next_check_seconds'];
            if (microtime(true) + $wait > $deadline) {
                throw new RuntimeException("{$request['request_id']} is still {$request['request_status']}");
            }
            sleep($wait);
            $request = $this->get("/v1/requests/{$request['request_id']}")['data'];
        }
        return $request;
    }

    /** All records of a list. Do not change what the filter asks for while it runs. */
    public function each(string $path, array $query = []): Generator
    {
        $offset = 0;
        do {
            $answer = $this->get($path, ['limit' => 100, 'offset' => $offset] + $query);
            // With "yield from" the keys of each page would begin at 0 again.
            foreach ($answer['data'] as $record) {
                yield $record;
            }
            $offset += count($answer['data']);
            // Of a search `total` stops at 10000.
        } while (count($answer['data']) === 100);
    }

    /**
     * Passes on what changed in /v1/services or /v1/requests; returns where the next round begins.
     *
     * Store that text once all records are kept. The rounds overlap by a minute: a record can come again.
     *
     * After a loss of the operator's records it reads the list once from its beginning. Then `$known()` says which
     * numbers (or request ids) you have, and `$unmet` gets the array of those that were not met, if there are any: mark
     * them for your staff, delete nothing.
     */
    public function changes(
        string $path,
        string $since,
        callable $keep,
        ?callable $known = null,
        ?callable $unmet = null,
    ): string {
        $isRequests = str_ends_with($path, '/requests');
        [$after, $name] = $isRequests ? ['after_request', 'request_id'] : ['after_number', 'service_number'];
        // The date, and the history under which it was stored, if there was a loss by then.
        [$since, $history] = explode(' history ', $since, 2) + [1 => '0'];
        $query = ['updated_since' => $since];
        [$begin, $met] = [null, null];
        do {
            $answer = $this->get($path, ['limit' => 100] + $query);
            $found = $answer['pagination']['history'] ?? $history;
            $isWhole = $found !== $history;
            if ($isWhole) {
                [$query, $begin, $met, $history] = [['updated_since' => '1970-01-01'], null, [], $found];
                continue;
            }
            $begin ??= (new DateTimeImmutable($answer['server_date']))->modify('-1 minute')->format('Y-m-d\TH:i:s.v\Z');
            foreach ($answer['data'] as $record) {
                $keep($record);
                if ($met !== null) {
                    $met[$record[$name]] = true;
                }
            }
            $last = end($answer['data']);
            $query = $last ? ['updated_since' => $last['updated_date'], $after => $last[$name]] : [];
        } while ($isWhole || count($answer['data']) === 100);
        $missing = [];
        foreach ($met !== null && $known ? $known() : [] as $one) {
            if (!isset($met[$one])) {
                $missing[] = $one;
            }
        }
        if ($missing && $unmet) {
            $unmet($missing);
        }
        return $history === '0' ? $begin : "$begin history $history";
    }

    /** A value of a query as text: left out, a filter that cannot be sent would let everything through. */
    private static function text(mixed $value, string $place): string
    {
        return match (true) {
            is_bool($value) => $value ? 'true' : 'false',
            $value instanceof DateTimeInterface => $value->format(DATE_RFC3339_EXTENDED),
            self::isNumber($value), is_string($value), $value instanceof Stringable => (string) $value,
            default => throw new InvalidArgumentException("$place cannot be sent: " . get_debug_type($value)),
        };
    }

    /** A value of a body as json_encode writes it in full: of many objects it would write `{}`. */
    private static function json(mixed $value, string $place, int $depth = 0): mixed
    {
        return match (true) {
            $depth > 100 => throw new InvalidArgumentException('body is nested too deep to be sent'),
            $value instanceof DateTimeInterface => $value->format(DATE_RFC3339_EXTENDED),
            $value instanceof JsonSerializable => self::json($value->jsonSerialize(), $place, $depth + 1),
            $value instanceof BackedEnum => $value->value,
            $value instanceof Stringable => (string) $value,
            $value instanceof stdClass, $value === [] => (object) self::fields((array) $value, $place, $depth),
            is_array($value) => self::fields($value, $place, $depth),
            $value === null, is_bool($value), is_string($value), self::isNumber($value) => $value,
            default => throw new InvalidArgumentException("$place cannot be sent: " . get_debug_type($value)),
        };
    }

    private static function isNumber(mixed $value): bool
    {
        return is_int($value) || (is_float($value) && is_finite($value));
    }

    private static function fields(array $values, string $place, int $depth): array
    {
        foreach ($values as $name => $value) {
            $values[$name] = self::json($value, "$place.$name", $depth + 1);
        }
        return $values;
    }

    private function call(string $method, string $path, string $body = '', ?string $idempotencyKey = null): array
    {
        $headers = ["Authorization: Bearer {$this->key}", 'Content-Type: application/json'];
        if ($idempotencyKey !== null) {
            if (!preg_match('/^[ -~]+$/D', $idempotencyKey)) {
                throw new InvalidArgumentException('The idempotency key must be printable ASCII on one line');
            }
            $headers[] = "X-Idempotency-Key: $idempotencyKey";
        }
        $left = $this->patience ?? INF;
        for ($turn = 1; ; $turn++) {
            $began = hrtime(true);
            try {
                $answer = $this->send($method, $path, $headers, $body, $left);
                unset(self::$silent[$this->url]);
                return $answer;
            } catch (BrokerError $error) {
                $left -= (hrtime(true) - $began) / 1e9;
                $repeatable = $method === 'GET' || $idempotencyKey !== null;
                $passing = $error->status < 300 || $error->status === 429 || $error->status >= 500;
                $isSilence = $error->status === 0 || $error->status >= 500;
                if (!$isSilence) {
                    unset(self::$silent[$this->url]);
                }
                $isLast = $turn >= ($this->isHasty() ? 1 : $this->tries) || ($error->retryAfter === null && $left < 1);
                $wait = $error->retryAfter ?? (int) min(2 ** $turn, $this->maxWait, max(1, ceil($left)));
                if (!$repeatable || !$passing || $isLast || $wait > $this->maxWait) {
                    if ($this->patience !== null && $repeatable && $isSilence) {
                        self::$silent[$this->url] = true;
                    }
                    throw $error;
                }
            }
            sleep($wait);
            $left -= $error->retryAfter === null ? $wait : 0;
        }
    }

    private function isHasty(): bool
    {
        return $this->patience !== null && isset(self::$silent[$this->url]);
    }

    private function send(string $method, string $path, array $headers, string $body, int|float $left): array
    {
        $timeout = min($this->timeout, $this->isHasty() ? self::SHORT_TIMEOUT : max(self::SHORT_TIMEOUT, $left));
        $received = [];
        $curl = curl_init($this->url . $path);
        curl_setopt_array($curl, [
            CURLOPT_CUSTOMREQUEST => $method,
            CURLOPT_HTTPHEADER => $headers,
            CURLOPT_RETURNTRANSFER => true,
            CURLOPT_TIMEOUT => (int) $timeout,
            CURLOPT_HEADERFUNCTION => function ($_, string $line) use (&$received): int {
                [$name, $value] = explode(':', $line, 2) + [1 => ''];
                $received[strtolower(trim($name))] = trim($value);
                return strlen($line);
            },
        ]);
        if ($method === 'POST') {
            curl_setopt($curl, CURLOPT_POSTFIELDS, $body);
        }
        $text = curl_exec($curl);
        if ($text === false) {
            $code = curl_errno($curl) === CURLE_OPERATION_TIMEDOUT ? 'timeout' : 'network_failure';
            throw new BrokerError(0, $code, curl_error($curl), ['curl_error' => curl_errno($curl)]);
        }
        $status = curl_getinfo($curl, CURLINFO_RESPONSE_CODE);
        // Numbers of services stay exact: PHP's whole numbers have 64 bits.
        $answer = json_decode($text, true);
        $success = is_array($answer) ? $answer['success'] ?? null : null;
        $requestId = $received['x-request-id'] ?? null;
        if ($status < 300 && $success === true && array_key_exists('data', $answer)) {
            return $answer + [
                'replayed' => ($received['idempotent-replayed'] ?? null) === 'true',
                'x_request_id' => $requestId,
                'server_date' => $received['x-server-date'] ?? null,
            ];
        }
        $error = $success === false ? self::errorOf($answer['error'] ?? null) : null;
        throw new BrokerError(
            $status,
            $error['code'] ?? 'unexpected_answer',
            $error['message'] ?? 'This is no answer of the Broker API',
            $error['details'] ?? [],
            $requestId,
            self::retryAfter($received),
        );
    }

    /** The API's error; null for another system's, which may have the same names for values of other types. */
    private static function errorOf(mixed $error): ?array
    {
        if (!is_array($error) || !is_string($error['code'] ?? null) || !is_string($error['message'] ?? null)) {
            return null;
        }
        $details = array_key_exists('details', $error) ? $error['details'] : [];
        return is_array($details) && is_string($details['reason'] ?? '') ? $error : null;
    }

    /** Seconds, one at least. The header holds them or a date, which is compared with the date of the answer. */
    private static function retryAfter(array $received): ?int
    {
        $value = $received['retry-after'] ?? '';
        if (ctype_digit($value)) {
            return max(1, (int) $value);
        }
        $until = str_ends_with($value, 'GMT') ? strtotime($value) : false;
        return $until === false ? null : max(1, $until - (strtotime($received['date'] ?? '') ?: time()));
    }
}

if (PHP_SAPI === 'cli' && realpath($_SERVER['SCRIPT_FILENAME'] ?? '') === __FILE__) {
    $broker = new Broker((string) getenv('BROKER_URL'), (string) getenv('BROKER_KEY'));

    // Keep the key beside the order, so that a restart repeats the same call.
    $order = getenv('ORDER') ?: 'order-' . bin2hex(random_bytes(8));
    $new = ['plan' => 'starter', 'external_reference' => $order, 'client' => ['name' => 'Ada Example', 'email' => 'ada@example.com']];
    foreach ($broker->each('/v1/plans') as $plan) {
        if ($plan['slug'] === $new['plan'] && in_array('hostname', array_column($plan['options'], 'name'), true)) {
            $new['configuration'] = ['hostname' => 'shop.example.com'];
        }
    }
    $created = $broker->post('/v1/services', $new, $order)['data'];
    echo 'created ', $broker->follow($created)['request_status'], ' ', $created['service_number'], PHP_EOL;

    $service = "/v1/services/{$created['service_number']}";
    $record = $broker->get($service)['data'];
    echo 'access ', $record['access']['hostname'] ?? 'None', ' chosen ', $record['configuration']['hostname'] ?? 'None', PHP_EOL;
    if ($record['has_credentials']) {
        // Show them to the client, and keep them nowhere.
        [$login] = $broker->get("$service/credentials")['data']['credentials'];
        echo "credentials {$login['display_name']} {$login['username']}", PHP_EOL;
    }
    if (in_array('reboot', array_column($record['actions'], 'name'), true)) {
        $reboot = $broker->post("$service/actions", ['action' => 'reboot'], "$order-reboot")['data'];
        echo 'reboot ', $broker->follow($reboot)['request_status'], PHP_EOL;
    }

    $upgrade = $broker->post("$service/upgrade", ['new_plan' => 'business'], "$order-upgrade")['data'];
    echo 'upgrade ', $broker->follow($upgrade)['request_status'], PHP_EOL;

    try {
        $broker->post("$service/upgrade", ['new_plan' => 'business']);
    } catch (BrokerError $error) {
        echo "refused {$error->errorCode} {$error->reason}", PHP_EOL;
    }

    $services = [];
    $begin = $broker->changes('/v1/services', '2020-01-01', function (array $record) use (&$services): void {
        $services[$record['service_number']] = $record;
    });
    $total = iterator_count($broker->each('/v1/services'));
    echo 'copied ', count($services) === $total ? 'True' : 'False', ' next round ', $begin > '2020' ? 'True' : 'False', PHP_EOL;
    $used = array_column(iterator_to_array($broker->each('/v1/consumption'), false), 'transfer_gb_used', 'service_number');
    echo 'consumption ', count($used), PHP_EOL;
}
