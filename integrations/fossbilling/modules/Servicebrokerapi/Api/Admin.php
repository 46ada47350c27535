<?php
declare(strict_types=1);

namespace Box\Mod\Servicebrokerapi\Api;

require_once __DIR__ . '/Base.php';

class Admin extends Base
{
    /** Whether the settings are right; what is wrong is named. */
    public function test(): bool
    {
        return $this->getService()->test();
    }

    /** The plans that can be sold, with their options; none while they cannot be read. */
    public function plans(): array
    {
        try {
            return $this->getService()->plans();
        } catch (\Exception) {
            return [];
        }
    }

    /** Reads the service now: `order_id`. */
    public function refresh($data): bool
    {
        $this->needsPost();
        return $this->getService()->refresh($this->of($data)[1]);
    }

    /** Gives the service another plan: `order_id`, `plan`. */
    public function change_plan($data): bool
    {
        $this->needsPost();
        [$order, $service] = $this->of($data);
        return $this->getService()->changePlan($order, $service, (string) ($data['plan'] ?? ''));
    }

    private function of($data): array
    {
        $number = (int) ($data['order_id'] ?? 0);
        $order = $this->di['db']->getExistingModelById('ClientOrder', $number, 'Order not found');
        $isOfType = $order->service_type === 'brokerapi';
        $service = $isOfType ? $this->di['mod_service']('order')->getOrderService($order) : null;
        if (!$service) {
            throw new \FOSSBilling\InformationException('The order has no service');
        }
        return [$order, $service];
    }
}
