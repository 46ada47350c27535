{* The service as the copy has it. Every value is escaped: names and notes come from outside. *}
<h3>Service</h3>
{if !$isknown}
<p>Your service is being set up.</p>
{else}
<table class="table">
  <tr><th>State</th><td>{$status|escape}{if $expected != $status}, soon {$expected|escape}{/if}</td></tr>
  {foreach $underway as $line}<tr><th>Under way</th><td>{$line|escape}</td></tr>{/foreach}
  {if $access}
  {if $access.hostname}<tr><th>Host name</th><td>{$access.hostname|escape}</td></tr>{/if}
  {foreach $access.ip_addresses as $address}<tr><th>Address</th><td>{$address|escape}</td></tr>{/foreach}
  {if $access.username}<tr><th>User name</th><td>{$access.username|escape}</td></tr>{/if}
  {if $access.notes}<tr><th>Notes</th><td>{$access.notes|escape|nl2br}</td></tr>{/if}
  {/if}
</table>
{if $loginurl}<p><a class="btn btn-primary" href="{$loginurl|escape}" target="_blank" rel="noopener noreferrer">Sign in</a></p>{/if}
{foreach $actions as $action}
<form method="post" action="clientarea.php?action=productdetails" style="display: inline">
  <input type="hidden" name="token" value="{$token|default:''|escape}">
  <input type="hidden" name="id" value="{$id|escape}">
  <input type="hidden" name="modop" value="custom">
  <input type="hidden" name="a" value="action">
  <input type="hidden" name="broker_action" value="{$action.name|escape}">
  <button class="btn btn-default" title="{$action.description|default:''|escape}">{$action.display_name|escape}</button>
</form>
{/foreach}
{if $hascredentials}
<form method="post" action="clientarea.php?action=productdetails" style="display: inline">
  <input type="hidden" name="token" value="{$token|default:''|escape}">
  <input type="hidden" name="id" value="{$id|escape}">
  <input type="hidden" name="modop" value="custom">
  <input type="hidden" name="a" value="credentials">
  <button class="btn btn-default">Show credentials</button>
</form>
{/if}
{/if}
