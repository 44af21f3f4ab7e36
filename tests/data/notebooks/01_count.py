# ---
# jupyter:
#   kernelspec:
#     display_name: Python 3
#     language: python
#     name: python3
# ---

# %% [markdown]
# # Count
# A toy that reproduces nothing, from no data: it counts to a number.

# %% tags=["parameters"]
top = 3
step: int | None = None
label = "007"

# %%
from reliable_change.paths import output_folder

# %%
numbers = list(range(1, top + 1, step or 1))
numbers

# %%
folder = output_folder() / "ledger"
folder.mkdir(parents=True, exist_ok=True)
rows = ["claim,place,table,row,column,printed,recomputed,verdict,note"]
rows.append(f"toy-1,toy,count,top,3,{numbers[-1]},{'reproduced' if top == 3 else 'differs'},")
(folder / "01_count.csv").write_text("\n".join(rows) + "\n", encoding="utf-8")
print(label, len(numbers))
