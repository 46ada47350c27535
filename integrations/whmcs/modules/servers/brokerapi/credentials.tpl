{* Shown once on this page and stored nowhere. *}
<div class="card mb-3">
  <div class="card-body">
    <h3 class="card-title">{$text.credentials|escape}</h3>
    {foreach $credentials as $one}
    <h4>{$one.display_name|escape}</h4>
    <dl class="row">
      {if $one.url}<dt class="col-sm-4">{$text.address|escape}</dt><dd class="col-sm-8 text-break">{$one.url|escape}</dd>{/if}
      {if $one.username}<dt class="col-sm-4">{$text.user_name|escape}</dt><dd class="col-sm-8 text-break"><code>{$one.username|escape}</code></dd>{/if}
      {if $one.password}<dt class="col-sm-4">{$text.password|escape}</dt><dd class="col-sm-8 text-break"><code>{$one.password|escape}</code></dd>{/if}
      {if $one.private_key}<dt class="col-sm-4">{$text.private_key|escape}</dt><dd class="col-sm-8"><pre class="mb-0">{$one.private_key|escape}</pre></dd>{/if}
    </dl>
    {/foreach}
    <a class="btn btn-default" href="{$own|escape}">{$text.back|escape}</a>
  </div>
</div>
