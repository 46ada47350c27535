{* Shown once on this page and stored nowhere. *}
<h3>Credentials</h3>
{foreach $credentials as $one}
<h4>{$one.display_name|escape}</h4>
<table class="table">
  {if $one.username}<tr><th>User name</th><td><code>{$one.username|escape}</code></td></tr>{/if}
  {if $one.password}<tr><th>Password</th><td><code>{$one.password|escape}</code></td></tr>{/if}
  {if $one.url}<tr><th>Address</th><td>{$one.url|escape}</td></tr>{/if}
  {if $one.private_key}<tr><th>Private key</th><td><pre>{$one.private_key|escape}</pre></td></tr>{/if}
</table>
{/foreach}
<a class="btn btn-default" href="clientarea.php?action=productdetails&amp;id={$id|escape}">Back</a>
