<?php
declare(strict_types=1);

namespace Box\Mod\Servicebrokerapi\Api;

require_once __DIR__ . '/Base.php';

/** What a client may do with the service of an order of their own. */
class Client extends Base
{
    /** Runs an action: `order_id`, `action`, its options in `brokerapi`, and `sure` where it destroys data. */
    public function act($data): bool
    {
        $this->needsPost();
        [, $service] = $this->own($data);
        $texts = is_array($data['brokerapi'] ?? null) ? $data['brokerapi'] : [];
        $isSure = !empty($data['sure']);
        return $this->getService()->act($service, (string) ($data['action'] ?? ''), $texts, $isSure);
    }

    /** The logins of the service, which are kept nowhere: `order_id`. */
    public function credentials($data): array
    {
        $this->needsPost();
        [, $service] = $this->own($data);
        return $this->getService()->credentials($service);
    }

    /** @return array the client's order, active, and its service */
    private function own($data): array
    {
        $orders = $this->di['mod_service']('order');
        $client = $this->getIdentity();
        $order = $orders->findForClientById($client, (int) ($data['order_id'] ?? 0));
        $isOfType = $order && $order->service_type === 'brokerapi' && $order->status === 'active';
        $service = $isOfType ? $orders->getOrderService($order) : null;
        $isOwn = $service
            && (int) $service->client_id === (int) $client->id
            && (int) $service->order_id === (int) $order->id;
        if (!$isOwn) {
            throw new \FOSSBilling\InformationException('Order not found');
        }
        return [$order, $service];
    }
}
