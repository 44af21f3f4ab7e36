# ---
# jupyter:
#   kernelspec:
#     display_name: Python 3
#     language: python
#     name: python3
# ---

# %% [markdown]
# # Share
# A toy that reproduces nothing, from no data: it divides one number by another.

# %% tags=["parameters"]
epsilon = 0.20
loud = True

# %%
print(type(epsilon).__name__, epsilon)

# %%
share = 1 / (epsilon * 10)
print("share", share if loud else "")
