<?php
/**
 * What a server extension finds in Paymenter, for one process. The classes and functions are written after the signatures of
 * Paymenter 1.5.8 (App\Classes\Extension\Server, App\Helpers\ExtensionHelper, App\Models\Service, Property, Product and
 * Server) and of Laravel, as far as the extension uses them.
 *
 *     php paymenter.php FOLDER-OF-THE-EXTENSION
 */
declare(strict_types=1);

namespace App\Classes\Extension {
    class Extension
    {
        public function __construct(public $config = [])
        {
        }

        public function config($key)
        {
            return $this->config[$key] ?? null;
        }

        public function getConfig($values = [])
        {
            return [];
        }

        public function boot()
        {
        }
    }

    class Server extends Extension
    {
    }
}

namespace App\Exceptions {
    class DisplayException extends \Exception
    {
    }
}

namespace Illuminate\Support\Facades {
    final class Schedule
    {
        public static array $calls = [];
        private string $name = '';

        public static function call(callable $call): self
        {
            self::$calls[] = $call;
            return new self();
        }

        public function __call(string $name, array $arguments): self
        {
            return $this;
        }
    }
}

namespace App\Models {
    final class Collection implements \IteratorAggregate
    {
        public function __construct(public array $items)
        {
        }

        public function getIterator(): \Iterator
        {
            return new \ArrayIterator($this->items);
        }

        public function pluck(string $value, string $key): self
        {
            return new self(array_column(array_map(get_object_vars(...), $this->items), $value, $key));
        }

        public function toArray(): array
        {
            return $this->items;
        }
    }

    /** A query over rows that are objects. */
    final class Query
    {
        public function __construct(private array $rows, private ?\Closure $create = null)
        {
        }

        public function where(string $name, mixed $operator, mixed $value = null): self
        {
            [$operator, $value] = func_num_args() === 2 ? ['=', $operator] : [$operator, $value];
            $matches = static fn(object $row) => ((string) $row->$name === (string) $value) === ($operator === '=');
            return new self(array_values(array_filter($this->rows, $matches)), $this->create);
        }

        public function whereIn(string $name, array $values): self
        {
            return new self(array_values(array_filter($this->rows, fn($row) => in_array($row->$name, $values, true))));
        }

        public function whereHas(string $relation, callable $narrow): self
        {
            $has = static fn(object $row) => $narrow(new self([$row->$relation]))->first() !== null;
            return new self(array_values(array_filter($this->rows, $has)));
        }

        public function first(): ?object
        {
            return $this->rows[0] ?? null;
        }

        public function get(): Collection
        {
            return new Collection($this->rows);
        }

        public function updateOrCreate(array $key, array $values): void
        {
            $row = $this->where('key', $key['key'])->first() ?? ($this->create)($key);
            foreach ($values as $name => $value) {
                $row->$name = $value;
            }
        }
    }

    #[\AllowDynamicProperties]
    final class Row
    {
        public function __construct(array $values)
        {
            foreach ($values as $name => $value) {
                $this->$name = $value;
            }
        }

        public function __get(string $name): mixed
        {
            return null;
        }
    }

    final class Product
    {
        public function __construct(
            public string $name,
            public int $server_id,
            public Collection $settings,
            public Collection $configOptions,
        ) {
        }
    }

    final class Service
    {
        /** @var array<int, self> */
        public static array $all = [];

        public function __construct(
            public int $id,
            public string $status,
            public Row $user,
            public Product $product,
            public Collection $configs,
            public \DateTimeImmutable $updated_at,
        ) {
        }

        public function __get(string $name): mixed
        {
            return $name === 'properties' ? $this->properties()->get() : null;
        }

        public function properties(): Query
        {
            return Property::where('model_id', (string) $this->id);
        }

        public function getMorphClass(): string
        {
            return 'service';
        }

        public static function whereHas(string $relation, callable $narrow): Query
        {
            return (new Query(array_values(self::$all)))->whereHas($relation, $narrow);
        }
    }

    final class Property
    {
        public static array $rows = [];

        public static function where(string $name, mixed $value): Query
        {
            $create = function (array $key) use ($value): Row {
                return self::$rows[] = new Row($key + ['model_type' => 'service', 'model_id' => $value]);
            };
            return (new Query(self::$rows, $create))->where($name, $value);
        }
    }

    final class Server
    {
        public static array $rows = [];

        public static function where(string $name, mixed $value): Query
        {
            return (new Query(self::$rows))->where($name, $value);
        }
    }
}

namespace {
    use App\Models\Collection;
    use App\Models\Product;
    use App\Models\Property;
    use App\Models\Row;
    use App\Models\Server;
    use App\Models\Service;

    require __DIR__ . '/panel.php';

    function __(string $text): string
    {
        return $GLOBALS['texts'][$text] ?? $text;
    }

    function e(mixed $text): string
    {
        return htmlspecialchars((string) $text, ENT_QUOTES);
    }

    function route(string $name, int $id): string
    {
        return "/$name/$id";
    }

    function report(Throwable $error): void
    {
        $GLOBALS['reported'][] = $error->getMessage();
    }

    function app(): object
    {
        return new class {
            public function runningInConsole(): bool
            {
                return true;
            }
        };
    }

    function now(): object
    {
        return new class extends DateTimeImmutable {
            public function subDays(int $days): DateTimeImmutable
            {
                return $this->modify("-$days days");
            }
        };
    }

    function session(): object
    {
        return new class {
            public function put(string $key, array $value): void
            {
                $GLOBALS['notices'][] = $value['message'];
            }
        };
    }

    $rows = static fn(array $all) => new Collection(array_map(static fn($values) => new Row($values), $all));
    $pairs = static fn(array $values) => $rows(array_map(
        static fn($key, $value) => ['key' => $key, 'value' => $value],
        array_keys($values),
        array_values($values),
    ));
    require $argv[1] . '/Brokerapi.php';
    answer_calls(function (array $given) use ($rows, $pairs): array {
        [$GLOBALS['reported'], $GLOBALS['notices'], $GLOBALS['texts']] = [[], [], $given['texts'] ?? []];
        Server::$rows = [new Row(['id' => 1, 'extension' => 'Brokerapi', 'settings' => $pairs($given['config'])])];
        foreach ($given['services'] ?? [] as $id => $one) {
            $product = new Product('VPS', 1, $pairs($one['settings']), $rows($one['configOptions'] ?? []));
            $configs = array_map(static fn($config) => new Row([
                'configOption' => new Row($config['option']),
                'configValue' => new Row($config['value']),
            ]), $one['configs'] ?? []);
            $updated = new DateTimeImmutable($one['updated_at'] ?? 'now');
            Service::$all[$id] =
                new Service($id, $one['status'], new Row($one['user']), $product, new Collection($configs), $updated);
            foreach ($one['properties'] ?? [] as $key => $value) {
                Service::$all[$id]->properties()->updateOrCreate(['key' => $key], ['value' => $value]);
            }
        }
        $extension = new Paymenter\Extensions\Servers\Brokerapi\Brokerapi($given['config']);
        $answer = null;
        try {
            $call = $given['call'] ?? null;
            if ($call === 'daily') {
                $extension->boot();
                (array_pop(Illuminate\Support\Facades\Schedule::$calls))();
            } elseif ($call === 'getCheckoutConfig') {
                $product = Service::$all[$given['id']]->product;
                $answer = $extension->getCheckoutConfig($product, [], $product->settings->pluck('value', 'key')->toArray());
                foreach ($answer as &$field) {
                    // What the field's own rule says of a text.
                    foreach ($given['entered'][$field['name']] ?? [] as $text) {
                        ($field['validation'][1])($field['name'], $text, function (string $fault) use (&$field): void {
                            $field['faults'][] = $fault;
                        });
                    }
                    unset($field['validation'][1]);
                }
            } elseif ($call !== null && isset($given['id'])) {
                // As ExtensionHelper passes them: properties, and config options by their names.
                $service = Service::$all[$given['id']];
                $properties = $service->properties->pluck('value', 'key')->toArray();
                foreach ($service->configs as $config) {
                    $properties[$config->configOption->env_variable] = $config->configValue->env_variable ?? $config->configValue->name;
                }
                $answer = $extension->$call($service, $service->product->settings->pluck('value', 'key')->toArray(), $properties);
            } elseif ($call !== null) {
                $answer = $extension->$call();
            }
        } catch (Exception $error) {
            $answer = ['error' => $error->getMessage(), 'for_client' => $error instanceof App\Exceptions\DisplayException];
        }
        $numbers = [];
        foreach (Property::$rows as $row) {
            $numbers += $row->key === 'broker_service_number' ? [$row->model_id => $row->value] : [];
        }
        return [
            'answer' => $answer,
            'reported' => $GLOBALS['reported'],
            'notices' => $GLOBALS['notices'],
            'numbers' => (object) $numbers,
        ];
    });
}
