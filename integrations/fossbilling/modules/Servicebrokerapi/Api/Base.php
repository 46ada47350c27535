<?php
declare(strict_types=1);

namespace Box\Mod\Servicebrokerapi\Api;

// FOSSBilling 0.8 gave the class of its APIs another name.
$ancestor = class_exists('FOSSBilling\Api\AbstractApi') ? 'FOSSBilling\Api\AbstractApi' : 'Api_Abstract';
class_alias($ancestor, __NAMESPACE__ . '\Ancestor');

abstract class Base extends Ancestor
{
    /** FOSSBilling takes each call by GET, too. */
    protected function needsPost(): void
    {
        if (($_SERVER['REQUEST_METHOD'] ?? 'POST') !== 'POST') {
            throw new \FOSSBilling\InformationException('Send this by POST');
        }
    }
}
