<?php
declare(strict_types=1);

namespace Box\Mod\Servicebrokerapi\Api;

require_once __DIR__ . '/Base.php';

class Guest extends Base
{
    /** The fields of a product's order form: `id` of the product. */
    public function form($data): array
    {
        return $this->getService()->form((int) ($data['id'] ?? 0));
    }

    /** What templates show, by the English texts. */
    public function texts(): array
    {
        return \Box\Mod\Servicebrokerapi\Texts::all();
    }
}
