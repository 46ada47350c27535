<?php
/**
 * Server extension of Paymenter 1.5 for the Broker API. README.md says how it is set up.
 *
 * Paymenter runs each job once, and sets the service's status whether or not the job succeeds. So a job waits as long
 * as it may, and once a day `reconcile` brings the API's services to where Paymenter shows them.
 */
declare(strict_types=1);

namespace Paymenter\Extensions\Servers\Brokerapi;

use App\Classes\Extension\Server;
use App\Exceptions\DisplayException;
use App\Models\Product;
use App\Models\Property;
use App\Models\Server as ServerRecord;
use App\Models\Service;
use Broker;
use BrokerError;
use BrokerPanel;
use BrokerRefusal;
use Exception;
use Illuminate\Support\Facades\Schedule;
use Throwable;

require_once __DIR__ . '/panel.php';

class Brokerapi extends Server
{
    /** The property of a service that holds its number. Staff can fill it in to connect a service that exists. */
    private const NUMBER = 'broker_service_number';

    /** Paymenter's queue gives a job to a second worker after 90 seconds. */
    private const JOB_SECONDS = 80;

    private const PAGE_SECONDS = 5;

    /** How long services that have ended in Paymenter are compared, in days. */
    private const ENDED_DAYS = 14;

    /** The actions that have a button, as methods of these names. One with options or that destroys data has none. */
    private const BUTTONS = ['start', 'stop', 'reboot', 'reset_password', 'console'];

    public function getConfig($values = []): array
    {
        return [
            [
                'name' => 'address',
                'label' => 'Address',
                'type' => 'text',
                'default' => BrokerPanel::ADDRESS,
                'description' => 'The address of the Broker API',
                'validation' => 'url',
                'required' => true,
            ],
            [
                'name' => 'panel',
                'label' => 'Name of this Paymenter',
                'type' => 'text',
                'description' => 'One that no other panel with your keys has, such as paymenter-1. Never change it',
                'required' => true,
            ],
            [
                'name' => 'key',
                'label' => 'API key',
                'type' => 'password',
                'description' => 'With the scope admin:full',
                'required' => true,
                'encrypted' => true,
            ],
        ];
    }

    public function testConfig(): bool|string
    {
        try {
            $this->panelName();
            $this->panel()->test('admin:full');
            return true;
        } catch (Exception $error) {
            return BrokerPanel::explain($error);
        }
    }

    public function getProductConfig($values = []): array
    {
        $plans = array_map(
            static fn(array $plan) => ['value' => $plan['slug'], 'label' => $plan['display_name']],
            $this->panel()->plans(),
        );
        return [['name' => 'plan', 'label' => 'Plan', 'type' => 'select', 'required' => true, 'options' => $plans]];
    }

    /** The plan's options, but for those that the product sells as config options. */
    public function getCheckoutConfig(Product $product, $values = [], $settings = []): array
    {
        $plan = array_column($this->panel(isPage: true)->plans(), null, 'slug')[$settings['plan'] ?? ''] ?? null;
        $sold = [];
        foreach ($product->configOptions as $option) {
            array_push($sold, (string) $option->env_variable, (string) $option->name);
        }
        return array_map(self::input(...), BrokerPanel::without($plan['options'] ?? [], $sold));
    }

    /** An option of a plan as a field of Paymenter's order form. */
    private static function input(array $option): array
    {
        $default = $option['default'];
        $input = [
            'name' => $option['name'],
            'label' => $option['display_name'],
            'description' => (string) $option['description'],
            'required' => $option['required'],
            // A field that is left out is stored, and must not be null.
            'default' => (string) $default,
        ];
        if ($option['type'] === 'boolean') {
            // The default theme's order form fails at a checkbox that is no config option.
            $options = ['0' => __('No'), '1' => __('Yes')];
            return ['type' => 'select', 'options' => $options, 'default' => $default ? '1' : '0'] + $input;
        }
        if ($option['type'] === 'choice') {
            $choices = array_column($option['choices'], 'display_name', 'value');
            // Paymenter takes the first where there is no default.
            $none = $option['required'] || $default !== null ? [] : ['' => '-'];
            return ['type' => 'select', 'options' => $none + $choices] + $input;
        }
        $check = static function (string $field, mixed $text, callable $fail) use ($option): void {
            $values = BrokerPanel::configuration([$option], [$option['name'] => $text]);
            $fault = $values ? BrokerPanel::faultOf($option, $values[$option['name']], self::translate(...)) : null;
            if ($fault !== null) {
                $fail($fault);
            }
        };
        $type = $option['type'] === 'number' ? 'number' : 'text';
        return ['type' => $type, 'validation' => ['nullable', $check]] + $input;
    }

    /** @return array what the product's email template may name */
    public function createServer(Service $service, $settings, $properties): array
    {
        $began = hrtime(true);
        return $this->do(function () use ($service, $settings, $properties, $began): array {
            $panel = $this->panel($service);
            // Where none is stored, the order itself finds what an earlier job has ordered.
            $own = $this->number($service) ? $this->own($service, $panel) : null;
            $number = $own['service_number'] ?? $panel->create(
                (string) ($settings['plan'] ?? ''),
                ['name' => (string) $service->user->name, 'email' => (string) $service->user->email],
                $properties,
                "{$service->product->name} #{$service->id}",
            );
            $service->properties()->updateOrCreate(
                ['key' => self::NUMBER],
                ['name' => 'Broker service number', 'value' => (string) $number],
            );
            $record = $panel->read($number);
            $creation = array_column($record['open_requests'], 'request_id', 'type')['service-creation'] ?? null;
            if ($creation) {
                $seconds = PHP_SAPI === 'cli' ? self::JOB_SECONDS - (hrtime(true) - $began) / 1e9 : self::PAGE_SECONDS;
                $request = $panel->follow($creation, (int) $seconds);
                if ($request['request_status'] === 'failed') {
                    throw new BrokerRefusal("The service $number could not be built: {$request['failure']['message']}");
                }
                $record = $panel->read($number);
            }
            $access = $record['access'] ?? [];
            return [
                'number' => $number,
                'address' => $access['ip_addresses'][0] ?? null,
                'addresses' => $access['ip_addresses'] ?? [],
                'hostname' => $access['hostname'] ?? null,
                'username' => $access['username'] ?? null,
                'login_url' => BrokerPanel::loginLink($record) ?: null,
            ];
        });
    }

    public function suspendServer(Service $service, $settings, $properties): bool
    {
        return $this->change($service, fn(BrokerPanel $panel, array $own) => $panel->suspend($own, null));
    }

    public function unsuspendServer(Service $service, $settings, $properties): bool
    {
        return $this->change($service, fn(BrokerPanel $panel, array $own) => $panel->unsuspend($own));
    }

    public function terminateServer(Service $service, $settings, $properties): bool
    {
        return $this->do(function () use ($service): bool {
            $panel = $this->panel($service);
            $own = $this->own($service, $panel);
            // Without one nothing was ever ordered, or it has ended.
            if ($own) {
                $panel->terminate($own);
            }
            return true;
        });
    }

    /** Another product, or other config options; what the client chose at the order form stays. */
    public function upgradeServer(Service $service, $settings, $properties): bool
    {
        $plan = (string) ($settings['plan'] ?? '');
        $sold = [];
        foreach ($service->product->configOptions as $option) {
            // A box that is not ticked has no row.
            $sold += $option->type === 'checkbox' ? [(string) ($option->env_variable ?: $option->name) => ''] : [];
        }
        foreach ($service->configs as $config) {
            $name = (string) ($config->configOption->env_variable ?: $config->configOption->name);
            $sold[$name] = $config->configValue->env_variable ?? $config->configValue->name;
        }
        return $this->change($service, fn(BrokerPanel $panel, array $own) =>
            $panel->changePlan($own['service_number'], $plan, $sold));
    }

    public function getActions(Service $service, $settings = [], $properties = []): array
    {
        $record = $this->own($service, $this->panel($service, isPage: true));
        if (!$record) {
            return [];
        }
        $view = static fn(string $name, string $label) => ['type' => 'view', 'name' => $name, 'label' => __($label)];
        $actions = [$view('server', 'Server') + ['function' => 'showServer']];
        if ($record['service_status'] !== 'active') {
            return $actions;
        }
        if ($record['has_credentials']) {
            $actions[] = $view('credentials', 'Credentials') + ['function' => 'showCredentials'];
        }
        $link = BrokerPanel::loginLink($record);
        if ($link !== '') {
            $actions[] = ['type' => 'button', 'label' => __('Sign in'), 'url' => $link, 'target' => '_blank'];
        }
        foreach ($record['actions'] as $action) {
            if (in_array($action['name'], self::BUTTONS, true) && self::isPlain($action)) {
                $actions[] = ['type' => 'button', 'label' => $action['display_name'], 'function' => $action['name']];
            }
        }
        return $actions;
    }

    public function start(Service $service): string { return $this->press($service, 'start'); }
    public function stop(Service $service): string { return $this->press($service, 'stop'); }
    public function reboot(Service $service): string { return $this->press($service, 'reboot'); }
    public function reset_password(Service $service): string { return $this->press($service, 'reset_password'); }
    public function console(Service $service): string { return $this->press($service, 'console'); }

    /** @return string where the client's browser goes */
    private function press(Service $service, string $name): string
    {
        return $this->forClient(function () use ($service, $name): string {
            $panel = $this->panel($service, isPage: true);
            $own = $this->own($service, $panel) ?? throw new BrokerRefusal('There is no service');
            $action = array_column($own['actions'], null, 'name')[$name] ?? null;
            if (!$action || !self::isPlain($action)) {
                throw new BrokerRefusal("This service has no \"$name\" that needs no question");
            }
            $request = $panel->act($own['service_number'], $name);
            if ($name === 'console') {
                $isDone = $panel->follow($request, self::PAGE_SECONDS, 1)['request_status'] === 'completed';
                $link = $isDone ? BrokerPanel::loginLink($panel->read($own['service_number'])) : '';
                $later = 'The console is being opened. Please press again in a moment.';
                return $link ?: throw new DisplayException(__($later));
            }
            session()->put('notification', ['message' => __('It is being done.'), 'type' => 'success']);
            return route('services.show', $service->id);
        });
    }

    /** Whether an action needs no question: Paymenter's buttons ask none. */
    private static function isPlain(array $action): bool
    {
        return !$action['options'] && !$action['destroys_data'];
    }

    public function showServer(Service $service): string
    {
        return $this->forClient(function () use ($service): string {
            $panel = $this->panel($service, isPage: true);
            $own = $this->own($service, $panel) ?? throw new BrokerRefusal('There is no service');
            $access = $own['access'] ?? ['ip_addresses' => [], 'hostname' => '', 'username' => '', 'notes' => ''];
            $waiting = BrokerPanel::underWay($own, self::translate(...), $panel->actionsUnderWay($own));
            $waits = $own['access'] ? '' : __('Your server is being set up. Its address appears here.');
            return self::lines([
                'State' => BrokerPanel::state(['expected' => null] + $own, self::translate(...)),
                'Under way' => implode('; ', $waiting),
                'Address' => implode(', ', $access['ip_addresses']) ?: $waits,
                'Host name' => $access['hostname'],
                'User name' => $access['username'],
                'Notes' => $access['notes'],
            ]);
        });
    }

    /** Read at this moment, and neither stored nor logged. */
    public function showCredentials(Service $service): string
    {
        return $this->forClient(function () use ($service): string {
            $panel = $this->panel($service, isPage: true);
            $own = $this->own($service, $panel) ?? throw new BrokerRefusal('There is no service');
            $shown = '';
            foreach ($panel->credentials($own) as $one) {
                $shown .= '<h4 class="text-lg font-semibold">' . e($one['display_name']) . '</h4>' . self::lines([
                    'Address' => $one['url'],
                    'User name' => $one['username'],
                    'Password' => $one['password'],
                    'Private key' => $one['private_key'],
                ]);
            }
            return $shown;
        });
    }

    /** With each start of Paymenter: once a day services are compared. */
    public function boot(): void
    {
        if (app()->runningInConsole()) {
            Schedule::call(self::reconcileAll(...))
                ->name('broker-api')->dailyAt('04:30')->withoutOverlapping()->onOneServer();
        }
    }

    public static function reconcileAll(): void
    {
        foreach (ServerRecord::where('extension', 'Brokerapi')->get() as $record) {
            try {
                $settings = $record->settings->pluck('value', 'key')->toArray();
                (new self($settings))->reconcile((int) $record->id);
            } catch (Exception $error) {
                report($error);
            }
        }
    }

    /** Brings the services of a server record to the status that Paymenter shows; what cannot be is reported. */
    public function reconcile(int $server): void
    {
        $records = [];
        foreach ($this->broker()->each('/v1/services') as $record) {
            $records[$record['service_number']] = $record;
        }
        $services = Service::whereHas('product', fn($products) => $products->where('server_id', $server))
            ->whereIn('status', ['active', 'suspended', 'cancelled'])
            ->get();
        foreach ($services as $service) {
            try {
                $this->compare($service, $records);
            } catch (Exception $error) {
                report(new Exception("Broker API: service {$service->id}: " . BrokerPanel::explain($error)));
            }
        }
    }

    private function compare(Service $service, array $records): void
    {
        $status = $service->status;
        if ($status === 'cancelled' && $service->updated_at < now()->subDays(self::ENDED_DAYS)) {
            return;
        }
        $number = $this->number($service);
        $panel = $this->panel($service);
        // Where none is stored, its job came to nothing, or its answer was lost.
        $record = $number ? $records[$number] ?? null : $panel->find();
        if ($number && !$record && $status !== 'cancelled') {
            throw new BrokerRefusal("The operator's records lack service $number: ask the operator, delete nothing");
        }
        if (!$record || BrokerPanel::hasEnded($record)) {
            if ($status === 'active' && !$number) {
                // It was paid, and its job came to nothing.
                $settings = $service->product->settings->pluck('value', 'key')->toArray();
                $this->createServer($service, $settings, $service->properties->pluck('value', 'key')->toArray());
            } elseif ($status === 'active') {
                throw new BrokerRefusal("The service $number has ended, and Paymenter shows it as active");
            }
            return;
        }
        $this->refuseSecond($service, $panel->own($record));
        match (true) {
            $status === 'cancelled' => $panel->terminate($record),
            $status === 'suspended' && BrokerPanel::status($record) === 'active' => $panel->suspend($record, null),
            $status === 'active' && BrokerPanel::status($record) === 'suspended'
                && ($record['suspension']['suspended_by'] ?? '') !== 'operator' => $panel->unsuspend($record),
            default => null,
        };
    }

    /** The API's service of one of Paymenter, if it is that one's; whatever reads or changes a service begins here. */
    private function own(Service $service, BrokerPanel $panel): ?array
    {
        $number = $this->number($service);
        $record = $number ? $panel->read($number) : $panel->find();
        if ($record) {
            $this->refuseSecond($service, $record);
        }
        return $record && BrokerPanel::hasEnded($record) ? null : $record;
    }

    /** Refuses a number that another service of Paymenter has, unless it was ordered for this one. */
    private function refuseSecond(Service $service, array $record): void
    {
        if ($record['external_reference'] === $this->reference($service)) {
            return;
        }
        $number = (string) $record['service_number'];
        $other = Property::where('key', self::NUMBER)->where('value', $number)
            ->where('model_type', $service->getMorphClass())->where('model_id', '!=', $service->id)->first();
        if ($other) {
            throw new BrokerRefusal("The service $number is that of service {$other->model_id}; " .
                "service {$service->id} cannot have it, too. Correct its " . self::NUMBER);
        }
    }

    private function number(Service $service): int
    {
        return (int) ($service->properties()->where('key', self::NUMBER)->first()->value ?? 0);
    }

    private function change(Service $service, callable $change): bool
    {
        return $this->do(function () use ($service, $change): bool {
            $panel = $this->panel($service);
            $own = $this->own($service, $panel)
                ?? throw new BrokerRefusal("There is no service of Paymenter's service {$service->id}");
            $change($panel, $own);
            return true;
        });
    }

    /** What goes wrong in a job is for staff, who find it under the failed jobs. */
    private function do(callable $do): mixed
    {
        try {
            return $do();
        } catch (Exception $error) {
            throw new Exception('Broker API: ' . BrokerPanel::explain($error));
        }
    }

    /** A client needs no codes and addresses; staff find them in Paymenter's log. */
    private function forClient(callable $do): string
    {
        try {
            return $do();
        } catch (DisplayException $error) {
            throw $error;
        } catch (Exception $error) {
            report(new Exception('Broker API: ' . BrokerPanel::explain($error)));
            throw new DisplayException(__(match ($error instanceof BrokerError ? $error->reason : '') {
                'service_not_active' => 'This is possible for an active server only.',
                'action_in_progress' => 'Something else is being done at the moment. Please try again later.',
                'credentials_not_available' => 'There are no credentials to show.',
                default => 'This is not possible at the moment. Please try again later.',
            }));
        }
    }

    private function panelName(): string
    {
        return BrokerPanel::panelName((string) $this->config('panel'), '"Name of this Paymenter"');
    }

    private function reference(Service $service): string
    {
        return $this->panelName() . "/service-{$service->id}";
    }

    private function broker(bool $isPage = false): Broker
    {
        $address = trim((string) $this->config('address')) ?: BrokerPanel::ADDRESS;
        return BrokerPanel::connect($address, (string) $this->config('key'), $isPage, true);
    }

    private function panel(?Service $service = null, bool $isPage = false): BrokerPanel
    {
        $broker = $this->broker($isPage);
        return $service
            ? new BrokerPanel($broker, $this->reference($service), (string) $service->user->email)
            : new BrokerPanel($broker);
    }

    /** Texts of panel.php through Paymenter's language files. */
    private static function translate(string $text, array $values = []): string
    {
        return strtr(__($text), $values);
    }

    private static function lines(array $lines): string
    {
        $shown = '';
        foreach (array_filter($lines) as $label => $text) {
            $style = 'white-space: pre-wrap; overflow-wrap: anywhere';
            $shown .= '<div class="flex items-center text-base"><span class="mr-2">' . e(__($label)) . ':</span>' .
                "<span class=\"text-base/50\" style=\"$style\">" . e($text) . '</span></div>';
        }
        return $shown;
    }
}
