# ---
# jupyter:
#   kernelspec:
#     display_name: python3
#     language: python
#     name: python3
# ---

# %% [markdown]
# # Must fail: its second code cell raises

# %% tags=["parameters"]
depth = 2

# %%
numbers = [1, 2]
numbers[depth]

# %%
print("never reached")
