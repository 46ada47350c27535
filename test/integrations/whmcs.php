<?php
/**
 * What a provisioning module finds in WHMCS, as its documentation says, for one process: the database, the functions that
 * modules call, and the parameters. Every value comes as a string. Templates are rendered by the real Smarty 4 (Debian's
 * smarty4), with the variables that WHMCS's public theme twenty-one 9.0.4 uses on the page of a product.
 *
 *     php whmcs.php FOLDER-OF-THE-MODULE [admin]
 */
declare(strict_types=1);

namespace WHMCS\Database {
    final class Capsule
    {
        /** @var array<string, array<array<string, string>>> */
        public static array $tables = [];

        public static function table(string $name): Query
        {
            return new Query($name);
        }

        public static function schema(): object
        {
            return new class {
                public function hasTable(string $name): bool
                {
                    return isset(Capsule::$tables[$name]);
                }

                public function create(string $name, callable $describe): void
                {
                    // What a column's methods are named is not checked.
                    $describe(new class {
                        public function __call(string $method, array $arguments): void
                        {
                        }
                    });
                    Capsule::$tables[$name] = [];
                }
            };
        }
    }

    final class Query
    {
        /** @var array<array{string, string, string}> */
        private array $conditions = [];

        public function __construct(private string $name)
        {
        }

        public function where(string|array $column, mixed ...$given): static
        {
            foreach (is_array($column) ? $column : [] as $name => $value) {
                $this->conditions[] = [$name, '=', (string) $value];
            }
            if (is_string($column)) {
                $this->conditions[] = [$column, isset($given[1]) ? $given[0] : '=', (string) ($given[1] ?? $given[0])];
            }
            return $this;
        }

        public function first(): ?object
        {
            return $this->get()[0] ?? null;
        }

        public function get(): array
        {
            return array_map(fn($row) => (object) $row, array_values(array_filter(Capsule::$tables[$this->name], $this->matches(...))));
        }

        public function update(array $values): void
        {
            array_map(\refuse_long_characters(...), array_map(strval(...), $values));
            foreach (Capsule::$tables[$this->name] as &$row) {
                $row = $this->matches($row) ? array_map(strval(...), $values) + $row : $row;
            }
        }

        public function delete(): void
        {
            Capsule::$tables[$this->name] = array_filter(Capsule::$tables[$this->name], fn($row) => !$this->matches($row));
        }

        public function updateOrInsert(array $key, array $values): void
        {
            $query = (new self($this->name))->where($key);
            if ($query->first()) {
                $query->update($values);
                return;
            }
            static $id = 0;
            Capsule::$tables[$this->name][] = array_map(strval(...), $key + $values + ['id' => ++$id]);
        }

        private function matches(array $row): bool
        {
            foreach ($this->conditions as [$name, $operator, $value]) {
                if (($row[$name] === $value) !== ($operator === '=')) {
                    return false;
                }
            }
            return true;
        }
    }
}

namespace {
    use WHMCS\Database\Capsule;

    const WHMCS = true;

    require __DIR__ . '/panel.php';

    $log = [];
    $sent = [];
    $hooks = [];

    function logModuleCall(string $module, string $action, mixed $request, mixed $response, mixed $processed, array $replaced): void
    {
        $GLOBALS['log'][] = str_replace($replaced, '***', json_encode([$action, $request, $response, $processed]));
    }

    function logActivity(string $text): void
    {
        refuse_long_characters($text);
        $GLOBALS['log'][] = $text;
    }

    /** A database whose characters have three bytes, in strict mode. */
    function refuse_long_characters(string $text): void
    {
        if (preg_match('/[\x{10000}-\x{10FFFF}]/u', $text)) {
            throw new RuntimeException('1366 Incorrect string value');
        }
    }

    /** What the page of a product shows: the module's template among WHMCS's own variables. */
    function render(array $page, array $params): string
    {
        require_once '/usr/share/php/smarty4/Smarty.class.php';
        $smarty = new Smarty();
        $smarty->setTemplateDir(getcwd())->setCompileDir(sys_get_temp_dir() . '/broker-templates-' . getmypid());
        $smarty->assign([
            'LANG' => array_fill_keys([
                ...['clientareahostingregdate', 'firstpaymentamount', 'recurringamount', 'quantity', 'orderbillingcycle'],
                ...['clientareahostingnextduedate', 'orderpaymentmethod', 'suspendreason', 'yes', 'no', 'upgrade'],
                ...['clientareadiskusage', 'clientareabwusage', 'cancellationrequested', 'clientareacancelrequestbutton'],
                ...['orderpaymenttermonetime', 'orderfree'],
            ], 'Text of WHMCS'),
            'token' => 'whmcs-token', 'id' => $params['serviceid'], 'serviceid' => $params['serviceid'],
            'product' => 'Cloud server', 'groupname' => 'Servers', 'type' => 'other', 'rawstatus' => 'active',
            'status' => 'Active', 'domain' => $params['domain'], 'regdate' => '01/02/2030', 'recurringamount' => '5.00 USD',
            'firstpaymentamount' => '5.00 USD', 'billingcycle' => 'Monthly', 'nextduedate' => '01/03/2030',
            'paymentmethod' => 'Bank transfer', 'serverdata' => ['hostname' => 'api.upstream.example', 'ipaddress' => '203.0.113.9'],
            'configurableoptions' => [['optionname' => 'Backups', 'optiontype' => '3', 'selectedqty' => '1', 'selectedoption' => '']],
            'customfields' => [['name' => 'Note', 'value' => 'mine']], 'lastupdate' => '', 'showcancelbutton' => true,
        ]);
        $smarty->assign($page['templateVariables'] ?? $page['vars']);
        // A page of its own is named without the ending.
        return $smarty->fetch($page['tabOverviewReplacementTemplate'] ?? "{$page['templatefile']}.tpl");
    }

    function add_hook(string $name, int $priority, callable $function): void
    {
        $GLOBALS['hooks'][$name] = $function;
    }

    function localAPI(string $command, array $values): array
    {
        if (($GLOBALS['refused'] ?? null) === $command) {
            return ['result' => 'error', 'message' => 'Not now'];
        }
        if ($command === 'DecryptPassword') {
            return ['result' => 'success', 'password' => strrev($values['password2'])];
        }
        if ($command === 'SendEmail') {
            $product = Capsule::table('tblhosting')->where('id', $values['id'])->first();
            // With the fields that a template names.
            $GLOBALS['sent'][] = "{$values['messagename']} for {$values['id']}: $product->dedicatedip, $product->username, $product->domain";
        }
        if ($command === 'UpdateClientProduct') {
            $columns = ['status' => 'domainstatus', 'serviceusername' => 'username'];
            $changes = [];
            foreach (array_diff_key($values, ['serviceid' => 0]) as $name => $value) {
                $changes[$columns[$name] ?? $name] = $value;
            }
            Capsule::table('tblhosting')->where('id', $values['serviceid'])->update($changes);
        }
        if ($command === 'UpdateClientAddon') {
            Capsule::table('tblhostingaddons')->where('id', $values['id'])->update(array_diff_key($values, ['id' => 0]));
        }
        return ['result' => 'success'];
    }

    /** Custom fields of a product or an add-on, which are made when they are missing. */
    final class Properties
    {
        public static array $stored = [];
        public static bool $fails = false;

        public function __construct(private string $owner)
        {
        }

        public function get(string $name): string
        {
            return self::$stored[$this->owner][$name] ?? '';
        }

        public function save(array $values): void
        {
            if (self::$fails) {
                throw new Exception('The database is read-only');
            }
            self::$stored[$this->owner] = $values + (self::$stored[$this->owner] ?? []);
        }
    }

    if (isset($argv[2])) {
        define('ADMINAREA', true);
    }
    chdir($argv[1]);
    require $argv[1] . '/hooks.php';
    require_once $argv[1] . '/brokerapi.php';
    answer_calls(function (array $given): array {
        global $log, $sent, $refused, $hooks;
        [$log, $sent, $answer] = [[], [], null];
        $_POST = $given['post'] ?? [];
        $_REQUEST = ($given['query'] ?? []) + $_POST;
        $_SERVER['REQUEST_METHOD'] = isset($given['post']) ? 'POST' : 'GET';
        $_SESSION ??= [];
        $GLOBALS['_LANG'] = $given['overrides'] ?? [];
        foreach ($given['tables'] ?? [] as $name => $rows) {
            Capsule::$tables[$name] = $rows;
        }
        Properties::$fails = $given['fails'] ?? false;
        $refused = $given['refused'] ?? null;
        if ($given['forget'] ?? false) {
            Properties::$stored = [];
            Capsule::$tables['mod_brokerapi'] = [];
        }
        if (isset($given['hook'])) {
            $hooks[$given['hook']]([]);
        }
        if (isset($given['call'])) {
            $params = $given['params'];
            $params['model'] = (object) ['serviceProperties' => new Properties("{$params['serviceid']}/" . ($params['addonId'] ?? 0))];
            $answer = ('brokerapi_' . $given['call'])($params);
            $statuses = ['CreateAccount' => 'Active', 'SuspendAccount' => 'Suspended', 'UnsuspendAccount' => 'Active', 'TerminateAccount' => 'Terminated'];
            $status = $answer === 'success' ? $statuses[$given['call']] ?? null : null;
            if ($status !== null) {
                isset($params['addonId'])
                    ? Capsule::table('tblhostingaddons')->where('id', $params['addonId'])->update(['status' => $status])
                    : Capsule::table('tblhosting')->where('id', $params['serviceid'])->update(['domainstatus' => $status]);
            }
        }
        if ($given['render'] ?? false) {
            $answer = render($answer, $given['params']);
        }
        $state = ['tables' => array_map(array_values(...), Capsule::$tables), 'properties' => Properties::$stored];
        return ['answer' => $answer, 'log' => $log, 'sent' => $sent] + $state;
    });
}
